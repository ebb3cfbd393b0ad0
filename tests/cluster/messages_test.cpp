// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Each message is read as it was written, all members of its struct with it. A message is refused
// if a field is missing or has another type.

#include "cluster/protocol/messages.hpp"

#include "cluster/protocol/describe.hpp"
#include "cluster/wire/frame.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
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
      .question = 3, .rounds = standstill_answer::is_done, .some_can_end = true, .traffic = {}, .nodes = {}};
  made.traffic["B"] = {.out = {.items = 3, .completed = 2, .closed = 1, .abandoned = 0}, .in = {.items = 7}};
  made.nodes.push_back({.path = "/m", .who = "m", .next = "/n", .text = "waits"});
  return made;
}

// Gives each field of a message another value than it has at first.
class filler {
 public:
  template <class T>
  void operator()(const char* /*key*/, T& value) {
    fill(value);
  }
  template <class T>
  void up_to(const char* /*key*/, T& value, const T& most) {
    if constexpr (std::is_enum_v<T>) {
      value = most;
    } else {
      value = std::min<T>(++last_, most);
    }
  }

  template <class T>
  void fill(T& value) {
    if constexpr (std::is_same_v<T, numbered_report>) {
      value = some_part();
    } else if constexpr (std::is_same_v<T, bool>) {
      value = !value;
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(++last_);
    } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
      value = std::chrono::milliseconds(++last_);
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = "text " + std::to_string(++last_);
    } else if constexpr (requires { typename T::mapped_type; }) {
      fill(value["B"]);
    } else if constexpr (requires { value.emplace_back(); }) {
      for (int i = 0; i != 2; ++i) fill(value.emplace_back());
    } else if constexpr (requires { value.emplace(); }) {
      fill(value.emplace());
    } else {
      describe_all(value, *this);
    }
  }

 private:
  std::uint32_t last_ = 0;
};

// Whether a struct has a description, so that its members are members of the message.
template <class T>
concept described = requires(T& of, filler& fields) { T::describe(of, fields); } ||
                    std::same_as<T, weir::link_configuration> || std::same_as<T, weir::detail::waiting_node>;

// Converts to anything but a described struct: an initialisation then goes on with the members of
// that.
struct any_member {
  template <class T>
    requires(!described<T>)
  operator T() const {
    std::abort();  // it is never called
  }
};

template <class T, class... Members>
consteval std::size_t members_of() {
  if constexpr (requires { T{Members()..., any_member()}; }) {
    return members_of<T, Members..., any_member>();
  } else {
    return sizeof...(Members);
  }
}

// Counts the members that a description lists, and checks those of each struct among them.
class counter {
 public:
  template <class T>
  void operator()(const char* key, T& value) {
    if constexpr (described<T>) {
      SCOPED_TRACE(key);
      count_ += check(value);
    } else {
      ++count_;
      if constexpr (requires { typename T::mapped_type; }) {
        for (auto& [name, each] : value) check_element(each);
      } else if constexpr (requires { value.emplace_back(); }) {
        for (auto& each : value) check_element(each);
      } else if constexpr (requires { value.emplace(); }) {
        if (value) check_element(*value);
      }
    }
  }
  template <class T>
  void up_to(const char* /*key*/, T& /*value*/, const T& /*most*/) {
    ++count_;
  }

  template <class T>
  static std::size_t check(T& value) {
    counter fields;
    describe_all(value, fields);
    EXPECT_EQ(fields.count_, members_of<T>()) << "a member is not described";
    return fields.count_;
  }

 private:
  template <class T>
  static void check_element(T& value) {
    if constexpr (described<T>) check(value);
  }

  std::size_t count_ = 0;
};

// One message of each kind.
template <class Any, std::size_t... i>
std::vector<Any> one_of_each(std::index_sequence<i...>) {
  std::vector<Any> all;
  (all.emplace_back(std::in_place_index<i>), ...);
  for (Any& each : all) {
    std::visit([](auto& message) { filler().fill(message); }, each);
  }
  return all;
}
template <class Any>
std::vector<Any> one_of_each() {
  return one_of_each<Any>(std::make_index_sequence<std::variant_size_v<Any>>());
}

std::vector<to_coordinator::any> all_to_coordinator() {
  auto all = one_of_each<to_coordinator::any>();
  all.emplace_back(to_coordinator::sampled{});  // without a report
  return all;
}
std::vector<to_group::any> all_to_group() { return one_of_each<to_group::any>(); }

template <class Any>
void expect_to_come_through(const std::vector<Any>& messages) {
  std::set<std::string> names;
  for (Any message : messages) {
    const std::string text = wire_text(message);
    SCOPED_TRACE(text);
    const Any got = read(std::type_identity<Any>(), text);
    EXPECT_EQ(got.index(), message.index());
    EXPECT_EQ(wire_text(got), text);
    std::visit([](auto& of) { counter::check(of); }, message);
    names.insert(json::parse(text).at("say"));
  }
  EXPECT_EQ(names.size(), std::variant_size_v<Any>) << "two messages have one name";
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

TEST(messages, have_the_names_of_their_structs) {
  EXPECT_EQ(message_name<to_coordinator::here>(), "here");
  EXPECT_EQ(message_name<to_group::end_some>(), "end_some");
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
  many["nodes"] = std::vector<json>(weir::detail::standstill::nodes_most + 1, many["nodes"][0]);
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
