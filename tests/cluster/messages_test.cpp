// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Each message is read as it was written, and a message is refused if a field is missing or has
// another type.

#include "cluster/messages.hpp"

#include "cluster/frame.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

using namespace weir::cluster;
using json = nlohmann::json;

to_coordinator::any read(std::type_identity<to_coordinator::any>, const std::string& text) {
  return read_by_coordinator(std::as_bytes(std::span(text)));
}
to_group::any read(std::type_identity<to_group::any>, const std::string& text) {
  return read_by_group(std::as_bytes(std::span(text)));
}

weir::cluster::numbered_report some_part() {
  numbered_report made;
  made.of.workers = 3;
  made.of.nodes.push_back({.path = "/a", .kind = "node", .items = 5});
  made.nodes.push_back(8);
  made.of.channels.push_back(
      {.from = "/a", .to = "/b", .items = 4, .capacity = 9, .waiting = 1, .room = 2, .fill = 0.5});
  made.channels.push_back(6);
  return made;
}

standstill_answer some_answer() {
  standstill_answer made{
      .question = 3, .rounds = standstill_watch::is_done, .some_can_end = true, .traffic = {}, .nodes = {}};
  made.traffic["B"] = {.out = {.items = 3, .completed = 2, .closed = 1, .abandoned = 0}, .in = {.items = 7}};
  made.nodes.push_back({.path = "/m", .who = "m", .next = "/n", .text = "waits"});
  return made;
}

// One message of each kind, with a distinct value in each field.
std::vector<to_coordinator::any> all_to_coordinator() {
  namespace to = to_coordinator;
  const about_loop loop{.run = 7, .loop = 2};
  return {to::here{.place = {.port = 4711, .cores = 5, .machine = "m", .network = "n", .process = 6, .in_mpi = true},
                   .build = {.program = "p", .machine = "x", .id = "1", .libraries = {{.name = "l", .id = "2"}}}},
          to::misfit{{"one", "other"}},
          to::ready{.run = 7, .fingerprint = "f", .home = "A", .trace = "t", .loops = {1, 2}},
          to::quiet{loop},
          to::noted{loop},
          to::compared{loop, true, false, 3},
          to::answered{loop},
          to::failed{.path = "/a", .text = "why", .undecodable = true},
          to::lost{.group = "B", .met = true, .text = "why", .cause = loss_cause::damaged},
          to::cancel{},
          to::drain{},
          to::still{{.run = 7, .rounds = 3}},
          to::standstill{.run = 7, .answer = some_answer()},
          to::time{-5},
          to::trace{.run = 7, .events = ",{}"},
          to::traced{.run = 7, .about = {.dropped = 1, .ahead_ns = -2, .uncertainty_ns = 3}},
          to::sampled{.number = 1, .cpu_ns = 2, .run = 7, .part = some_part(), .more = true},
          to::sampled{},
          to::report{.run = 7, .part = some_part()},
          to::done{{7}}};
}

std::vector<to_group::any> all_to_group() {
  namespace to = to_group;
  const about_loop loop{.run = 7, .loop = 2};
  to::welcome welcome;
  welcome.cores = 9;
  welcome.watched = welcome.plan = welcome.mpi = true;
  welcome.stalled_after = std::chrono::milliseconds(1500);
  welcome.transport = weir::link_transport::shm;
  welcome.links.push_back({.one = "A", .other = "B", .transport = weir::link_transport::tcp});
  welcome.groups.push_back({.name = "A",
                            .address = "1.2.3.4",
                            .host = "h",
                            .at = {.port = 5, .machine = "m", .network = "n", .process = 6},
                            .share = 0.5,
                            .nodes = {"/a", "/b*"},
                            .batch_size = 7,
                            .frames_under_way = 8,
                            .channel_items = 9});
  return {welcome,
          to::go{.run = 7, .traced = true, .now = 5},
          to::time{.asked = 1, .now = 2},
          to::note{loop},
          to::compare{loop},
          to::ask{loop},
          to::close{loop},
          to::stop{.group = "A", .path = "/a", .text = "why"},
          to::cancel{},
          to::drain{},
          to::signal{15},
          to::standstill{.run = 7, .question = 3},
          to::end_some{{.run = 7, .rounds = 3}},
          to::sample{3},
          to::report{.run = 7, .group = "B", .part = some_part()},
          to::end{{7}}};
}

template <class Any>
void expect_to_come_through(const std::vector<Any>& messages) {
  std::set<std::size_t> kinds;
  for (const Any& message : messages) {
    kinds.insert(message.index());
    const std::string text = wire_text(message);
    SCOPED_TRACE(text);
    const Any got = read(std::type_identity<Any>(), text);
    EXPECT_EQ(got.index(), message.index());
    EXPECT_EQ(wire_text(got), text);
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Any>) << "a message is missing here";
}

// Lists all values in the message; nested values come first.
void list(json& in, std::vector<json*>& all) {
  for (json& each : in) {
    if (each.is_structured()) list(each, all);
    all.push_back(&each);
  }
}

template <class Any>
void expect_wrong_ones_to_be_refused(const std::vector<Any>& messages) {
  for (const Any& message : messages) {
    const std::string text = wire_text(message);
    const json right = json::parse(text);
    for (const auto& [key, value] : right.items()) {
      json changed = right;
      changed.erase(key);
      EXPECT_THROW(read(std::type_identity<Any>(), changed.dump()), protocol_error) << changed;
    }
    json changed = right;
    std::vector<json*> places;
    list(changed, places);
    for (json* const place : places) {
      if (place->is_object()) {
        const json whole = *place;
        for (const auto& [key, value] : whole.items()) {
          if (key == "B") continue;  // a group in "traffic"; any of them may be missing
          place->erase(key);
          EXPECT_THROW(read(std::type_identity<Any>(), changed.dump()), protocol_error) << changed;
          (*place)[key] = value;
        }
      }
      const json before = *place;
      *place = before.is_array() ? json::object() : json::array();
      EXPECT_THROW(read(std::type_identity<Any>(), changed.dump()), protocol_error) << changed;
      *place = before;
    }
  }
}

TEST(messages, to_the_coordinator_are_read_as_they_were_written) { expect_to_come_through(all_to_coordinator()); }
TEST(messages, to_a_group_are_read_as_they_were_written) { expect_to_come_through(all_to_group()); }

TEST(messages, to_the_coordinator_with_a_wrong_field_are_refused) {
  expect_wrong_ones_to_be_refused(all_to_coordinator());
}
TEST(messages, to_a_group_with_a_wrong_field_are_refused) { expect_wrong_ones_to_be_refused(all_to_group()); }

TEST(messages, have_bounds) {
  const auto refused = [](const json& message) {
    EXPECT_THROW(read(std::type_identity<to_coordinator::any>(), message.dump()), protocol_error) << message;
  };
  const to_coordinator::any answer = to_coordinator::standstill{.run = 1, .answer = some_answer()};
  json many = json::parse(wire_text(answer));
  many["nodes"] = std::vector<json>(weir::standstill::nodes_most + 1, many["nodes"][0]);
  refused(many);
  json of_a_run = json::parse(wire_text(to_coordinator::sampled{}));
  of_a_run["run"] = 1;
  refused(of_a_run);
  json welcome = json::parse(wire_text(all_to_group().front()));
  for (const double cores : {0.0, -1.0}) {
    welcome["groups"][0]["cores"] = cores;
    EXPECT_THROW(read(std::type_identity<to_group::any>(), welcome.dump()), protocol_error);
  }
}

}  // namespace
