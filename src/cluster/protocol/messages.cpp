// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/protocol/messages.hpp"

#include "cluster/protocol/describe.hpp"
#include "cluster/protocol/json_fields.hpp"
#include "cluster/wire/frame.hpp"
#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <map>
#include <type_traits>
#include <utility>

namespace weir::cluster {

using json = nlohmann::json;

namespace {

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class T>
inline constexpr bool is_map<std::map<std::string, T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// ---- writing ----

template <class T>
json written(const T& value);

class field_writer {
 public:
  explicit field_writer(json& to) : to_(to) {}

  template <class T>
  void operator()(const char* key, const T& value) {
    to_[key] = written(value);
  }
  template <class T>
  void up_to(const char* key, const T& value, const T& /*most*/) {
    (*this)(key, value);
  }

 private:
  json& to_;
};

template <class T>
json written(const T& value) {
  if constexpr (std::is_same_v<T, numbered_report>) {
    return json_of(value);
  } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
    return value.count();
  } else if constexpr (is_optional<T>) {
    return value ? written(*value) : json();
  } else if constexpr (is_list<T>) {
    json all = json::array();
    for (const auto& each : value) all.push_back(written(each));
    return all;
  } else if constexpr (is_map<T>) {
    json all = json::object();
    for (const auto& [key, each] : value) all[key] = written(each);
    return all;
  } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
    json object = json::object();
    field_writer fields(object);
    describe_all(value, fields);
    return object;
  } else {
    return value;
  }
}

template <class Any>
std::string wire_text_of_any(const Any& message) {
  return std::visit(
      []<class Message>(const Message& of) {
        json made = written(of);
        made["say"] = message_name<Message>();
        return detail::text_of(made);
      },
      message);
}

// ---- reading ----

template <class T>
void read(const json& from, const char* key, T& value);

class field_reader {
 public:
  explicit field_reader(const json& of) : of_(of) {}

  template <class T>
  void operator()(const char* key, T& value) {
    read(any_field(of_, key), key, value);
  }
  template <class T>
  void up_to(const char* key, T& value, const T& most) {
    value = static_cast<T>(field<std::uint64_t>(of_, key, static_cast<std::uint64_t>(most)));
  }

 private:
  const json& of_;
};

// @param key the key of the value, or of the list that contains it
template <class T>
void read(const json& from, const char* key, T& value) {
  if constexpr (std::is_same_v<T, numbered_report>) {
    value = part_from_json(from);
  } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
    value = std::chrono::milliseconds(value_of<std::uint32_t>(from, key));
  } else if constexpr (is_optional<T>) {
    if (from.is_null()) return value.reset();
    read(from, key, value.emplace());
  } else if constexpr (is_list<T>) {
    for (const json& each : array_of(from, key)) read(each, key, value.emplace_back());
  } else if constexpr (is_map<T>) {
    for (const auto& [name, each] : object_of(from, key).items()) read(each, key, value[name]);
  } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
    field_reader fields(object_of(from, key));
    describe_all(value, fields);
    if constexpr (requires { value.check(); }) value.check();
  } else {
    value = value_of<T>(from, key);
  }
}

template <class Any, std::size_t... i>
Any read_any(std::span<const std::byte> text, std::index_sequence<i...>) {
  const json message = parse_message(text);
  const auto say = field<std::string>(message, "say");
  std::optional<Any> made;
  const auto is_it = [&]<class Message>(std::in_place_type_t<Message>) {
    if (say != message_name<Message>()) return false;
    read(message, "say", std::get<Message>(made.emplace(std::in_place_type<Message>)));
    return true;
  };
  if ((is_it(std::in_place_type<std::variant_alternative_t<i, Any>>) || ...)) return *std::move(made);
  throw protocol_error("it said \"" + say + "\"");
}

}  // namespace

void to_coordinator::standstill::check() const {
  if (answer.nodes.size() > weir::detail::standstill::nodes_most)
    throw protocol_error("it tells of " + std::to_string(answer.nodes.size()) + " nodes");
}

void to_coordinator::sampled::check() const {
  if (run != 0 && !part) throw protocol_error("it says nothing of run " + std::to_string(run));
}

std::uint32_t to_group::signal::largest_signal() noexcept { return static_cast<std::uint32_t>(SIGRTMAX); }

std::string wire_text(const to_coordinator::any& message) { return wire_text_of_any(message); }
std::string wire_text(const to_group::any& message) { return wire_text_of_any(message); }

to_coordinator::any read_by_coordinator(std::span<const std::byte> text) {
  using any = to_coordinator::any;
  return read_any<any>(text, std::make_index_sequence<std::variant_size_v<any>>());
}
to_group::any read_by_group(std::span<const std::byte> text) {
  using any = to_group::any;
  return read_any<any>(text, std::make_index_sequence<std::variant_size_v<any>>());
}

}  // namespace weir::cluster
