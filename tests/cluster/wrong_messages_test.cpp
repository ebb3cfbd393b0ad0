// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A peer that knows the secret and sends wrong messages is named in the error, and all processes
// end cleanly.

#include "weir/cluster/coordinator.hpp"
#include "weir/cluster/member.hpp"
#include "weir/run/run.hpp"

#include "cluster/protocol/json_fields.hpp"
#include "cluster/protocol/read_report.hpp"
#include "cluster/protocol/report_parts.hpp"
#include "cluster/wire/frame.hpp"
#include "clusters.hpp"
#include "peer.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;
using weir::cluster::purpose;
using json = nlohmann::json;

json parse(std::string_view text) {
  return weir::cluster::parse_message(std::as_bytes(std::span(text.data(), text.size())));
}

TEST(messages, have_the_fields_that_are_asked_for_or_are_refused) {
  using weir::cluster::field;
  using weir::cluster::protocol_error;
  const json good = parse(R"({"text": "x", "count": 65535, "share": 0.5, "yes": true, "list": [], "object": {}})");
  EXPECT_EQ(field<std::string>(good, "text"), "x");
  EXPECT_EQ(field<std::uint16_t>(good, "count"), 65535);
  EXPECT_EQ(field<double>(good, "share"), 0.5);
  EXPECT_TRUE(field<bool>(good, "yes"));
  EXPECT_THROW(field<std::uint16_t>(good, "missing"), protocol_error);
  EXPECT_THROW(field<std::uint8_t>(good, "count"), protocol_error);
  EXPECT_THROW(field<std::uint32_t>(good, "count", 65534), protocol_error);
  EXPECT_THROW(field<std::uint64_t>(good, "share"), protocol_error);
  EXPECT_THROW(field<std::uint64_t>(parse(R"({"n": -1})"), "n"), protocol_error);
  EXPECT_THROW(field<std::uint64_t>(parse(R"({"n": 1e300})"), "n"), protocol_error);
  EXPECT_THROW(field<std::string>(good, "count"), protocol_error);
  EXPECT_THROW(weir::cluster::array_field(good, "object"), protocol_error);
  EXPECT_THROW(weir::cluster::object_field(good, "list"), protocol_error);
  for (const char* wrong : {"", "[]", "3", "{", "{\"a\": \"\xff\"}"})
    EXPECT_THROW(parse(wrong), protocol_error) << wrong;
  EXPECT_THROW(parse("{\"a\":" + std::string(20, '[') + std::string(20, ']') + "}"), protocol_error);
  EXPECT_THROW(parse("{\"a\":" + std::string(1'000'000, '[')), protocol_error);
}

TEST(messages, reports_with_numbers_that_do_not_fit_are_refused) {
  weir::report report;
  report.nodes.emplace_back().path = "/a";
  const std::string written = weir::to_json(report, -1);
  EXPECT_EQ(weir::to_json(weir::cluster::report_from_json(written), -1), written);
  for (const char* wrong : {"1e300", "9223372036854775807", "1.5", "\"1\"", "null"}) {
    json changed = json::parse(written);
    changed["nodes"][0]["busy_ns"] = json::parse(wrong);
    EXPECT_THROW(weir::cluster::report_from_json(changed), weir::cluster::protocol_error) << wrong;
  }
}

TEST(messages, reports_are_read_as_they_were_written) {
  weir::cluster::numbered_report all;
  for (std::size_t i = 0; i != 3000; ++i) {
    weir::node_report& node = all.of.nodes.emplace_back();
    node.path = "/a[" + std::to_string(i) + "]";
    node.items = i;
    all.nodes.push_back(7 * i);
  }
  for (std::size_t i = 0; i != 9000; ++i) {
    const std::size_t to = (i + 1) % 3000;
    all.of.channels.push_back({all.of.nodes[i % 3000].path, all.of.nodes[to].path, i, 100, i % 7, 30, 0.25, i % 5});
    all.channels.push_back(3 * i);
  }
  all.of.workers = 3;
  std::vector<json> parts;
  weir::cluster::numbered_report read;
  for (const weir::cluster::numbered_report& part : weir::cluster::parts_of(all)) {
    parts.push_back(json_of(part));
    weir::cluster::add_part(read, weir::cluster::part_from_json(json::parse(parts.back().dump())));
  }
  EXPECT_EQ(parts.size(), 3u);
  EXPECT_TRUE(weir::to_json(read.of) == weir::to_json(all.of));
  EXPECT_EQ(read.nodes, all.nodes);
  EXPECT_EQ(read.channels, all.channels);
  const auto refuse = [](const json& part) {
    EXPECT_THROW(weir::cluster::part_from_json(part), weir::cluster::protocol_error) << part.at("links").dump();
  };
  for (const char* name : {"number", "from", "to", "items", "capacity", "waiting", "room", "fill", "input"}) {
    json changed = parts[0];
    for (const char* wrong : {"\"x\"", "null", "{}", "[1]", "[]"}) {
      changed["links"][name] = json::parse(wrong);
      refuse(changed);
    }
    changed["links"].erase(name);
    refuse(changed);
    changed = parts[0];
    if (!changed["links"][name].is_array()) continue;
    changed["links"][name][17] = "x";
    refuse(changed);
    if (std::string(name) == "fill") continue;
    changed["links"][name][17] = -1;
    refuse(changed);
  }
  json leads_nowhere = parts[0];
  leads_nowhere["links"]["to"] = 99999;
  refuse(leads_nowhere);
  json without_number = parts[0];
  without_number["nodes"][3].erase("number");
  refuse(without_number);
}

// Part of a report that has neither nodes nor channels.
const std::string& empty_part() {
  static const std::string written = json_of(weir::cluster::numbered_report()).dump();
  return written;
}

// ---- to a coordinator ----

std::string here(
    const char* more = R"("port": 4711, "cores": 2, "machine": "m", "network": "n", "process": 7, "mpi": false)",
    const char* build = R"({"program": "p", "machine": "x", "id": "1", "libraries": []})") {
  return std::string(R"({"say": "here", )") + more + R"(, "build": )" + build + "}";
}
const std::string ready =
    R"({"say": "ready", "run": 1, "fingerprint": "f", "result_group": "A", "trace": "", "loops": [0]})";

struct wrong_speech {
  std::vector<std::string> said;  // "wait": waits for the "go" of the coordinator
  std::string words;              // expected in the text about B
};

TEST(coordinator, names_the_group_that_says_what_makes_no_sense) {
  const char* const place = R"("port": 1, "cores": 1, "machine": "m", "network": "n", "process": 7, "mpi": false)";
  const std::vector<wrong_speech> cases{
      {{"no JSON"}, "a message is no JSON"},
      {{"{}"}, "\"say\""},
      {{R"({"say": 3})"}, "\"say\""},
      {{here(R"("port": 1e300, "cores": 2, "machine": "m", "network": "n", "process": 7)")}, "\"port\""},
      {{here(R"("port": 70000, "cores": 2, "machine": "m", "network": "n", "process": 7)")}, "\"port\""},
      {{here(R"("port": 1, "cores": 1000000000, "machine": "m", "network": "n", "process": 7)")}, "\"cores\""},
      {{here(place, "7")}, "\"build\""},
      {{here(place, R"({"program": "p", "machine": "x", "id": 1, "libraries": []})")}, "\"id\""},
      {{here(place, R"({"program": "p", "machine": "x", "id": "1", "libraries": [1]})")}, "\"libraries\""},
      {{here(), here()}, "introduced itself twice"},
      {{ready}, "not introduced itself"},
      {{here(), R"({"say": "lost", "group": "Z", "met": true, "text": "x", "cause": 0})"}, "no group Z"},
      {{here(), R"({"say": "done", "run": 1})"}, R"("done" of run 1, which it was not told to begin)"},
      {{here(), R"({"say": "report", "run": 1, "part": )" + empty_part() + "}"},
       R"("report" of run 1, which it was not told to begin)"},
      {{here(), ready, "wait", R"({"say": "done", "run": 1})",
        R"({"say": "report", "run": 1, "part": )" + empty_part() + "}"},
       R"("report" of run 1, with which it is done)"},
      {{here(), R"({"say": "ready", "run": 0, "fingerprint": "f", "result_group": "A", "trace": "", "loops": []})"},
       "ready for run 0"},
      {{here(), R"({"say": "ready", "run": 1, "fingerprint": "f", "result_group": "Z", "trace": "", "loops": []})"},
       "no group Z"},
      {{here(), ready, "wait", R"({"say": "noted", "run": 1, "loop": 7})"}, "no part in"},
      {{here(), ready, "wait", R"({"say": "noted", "run": 1, "loop": 0})"}, "not asked"},
      {{here(), ready, "wait", R"({"say": "dance", "run": 1, "loop": 0})"}, "\"dance\""},
      {{here(), ready, "wait", R"({"say": "report", "run": 1, "part": {"wall_ns": "long"}})"}, "\"wall_ns\""},
      {{here(), R"({"say": "lost", "group": "A", "met": true, "text": "x", "cause": 17})"}, "\"cause\""},
      {{here(), R"({"say": "time", "asked": 1e300})"}, "\"asked\""},
      {{here(), R"({"say": "dance"})"}, "\"dance\""},
  };
  struct scene {
    std::unique_ptr<weir::coordinator> judge;
    std::optional<peer> a;
    std::optional<peer> b;
  };
  std::vector<scene> scenes;
  for (const wrong_speech& each : cases) {
    scene& one = scenes.emplace_back();
    one.judge = std::make_unique<weir::coordinator>(groups_named({"A", "B"}), secret, true);
    for (auto [group, name] : {std::pair(&one.a, "A"), std::pair(&one.b, "B")}) {
      auto connected = peer::connect(one.judge->port(), {name, purpose::control});
      ASSERT_TRUE(connected.has_value());
      group->emplace(std::move(*connected));
    }
    one.a->say(here());
    one.a->say(ready);
    for (const std::string& message : each.said) {
      if (message != "wait") {
        one.b->say(message);
        continue;
      }
      while (!one.b->was_told("go")) ASSERT_TRUE(one.b->hear(-1));
    }
  }
  for (std::size_t i = 0; i != cases.size(); ++i) {
    SCOPED_TRACE(cases[i].words);
    while (!scenes[i].a->was_told("stop")) ASSERT_TRUE(scenes[i].a->hear(-1));
    const auto says_stop = [](const json& each) { return each.at("say") == "stop"; };
    const json& stop = *std::ranges::find_if(scenes[i].a->told, says_stop);
    EXPECT_EQ(stop.at("group"), "B") << stop;
    EXPECT_NE(std::string(stop.at("text")).find(cases[i].words), std::string::npos) << stop;
    EXPECT_EQ(scenes[i].judge->failure()->group, "B");
  }
}

// ---- to a group ----

std::string welcome(const std::string& own = "B", const std::string& more = "") {
  const auto group = [](const std::string& name) {
    return R"({"name": ")" + name +
           R"(", "address": "127.0.0.1", "host": "", "port": 9, "machine": "m", "network": "n", "process": 7, "nodes": [], "cores": 1, )"
           R"("batch_size": 0, "frames_under_way": 0, "channel_items": 0})";
  };
  return R"({"say": "welcome", "cores": 2, "plan": false, "watched": false, "traced": false, "stalled_after": 30000, )"
         R"("checksums": false, "mpi": false, "transport": 0, "links": [], "groups": [)" +
         group(own) + more + "]}";
}

// Returns the error of a group B that runs a network of its own, and receives the messages `said`
// from its coordinator.
std::string outcome(const std::vector<std::string>& said) {
  asio::io_context io;
  asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  std::string what;
  std::thread group([&] {
    try {
      weir::cluster_member member("B", "127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()), secret);
      std::vector<long> seen;
      weir::network net = numbers(10).in_group("B") | into(seen).in_group("B");
      weir::run(net, {.member = &member});
    } catch (const std::exception& problem) {
      what = problem.what();
    }
  });
  std::optional<peer> coordinator = peer::accept(acceptor, "coordinator");
  if (coordinator) {
    for (const std::string& message : said) {
      if (message == "wait") {
        while (!coordinator->was_told("ready") && coordinator->hear(-1)) {
        }
      } else {
        coordinator->say(message);
      }
    }
    while (coordinator->hear(-1)) {
    }
  }
  coordinator.reset();
  group.join();
  return what;
}

TEST(member, names_the_coordinator_that_says_what_makes_no_sense) {
  const std::vector<wrong_speech> cases{
      {{"no JSON"}, "a message is no JSON"},
      {{R"({"say": "welcome", "cores": 2})"}, "\"watched\""},
      {{welcome("A")}, "does not name this group"},
      {{welcome(
           "B",
           R"(, {"name": "A", "address": "x", "host": "", "port": -1, "machine": "", "network": "", "process": 0})")},
       "\"port\""},
      {{welcome(), welcome()}, "a second welcome"},
      {{welcome(), "wait", R"({"say": "end", "run": 1})"}, "out of turn"},
      {{welcome(), "wait", R"({"say": "go", "run": 1, "traced": false, "now": 5})",
        R"({"say": "go", "run": 1, "traced": false, "now": 5})"},
       "out of turn"},
      {{welcome(), "wait", R"({"say": "go", "run": 1, "traced": false, "now": 5})",
        R"({"say": "note", "run": 1, "loop": 0})"},
       "no part here"},
      {{welcome(), R"({"say": "stop", "group": 3, "path": "", "text": ""})"}, "\"group\""},
      {{welcome(), R"({"say": "time", "asked": 9223372036854775807, "now": 0})"}, "\"asked\""},
      {{welcome(), R"({"say": "signal", "number": 1e9})"}, "\"number\""},
  };
  for (const wrong_speech& each : cases) {
    const std::string what = outcome(each.said);
    EXPECT_NE(what.find("coordinator"), std::string::npos) << what;
    EXPECT_NE(what.find(each.words), std::string::npos) << what;
  }
}

}  // namespace
