// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/protocol/json_fields.hpp"

#include "cluster/wire/frame.hpp"

#include <nlohmann/json.hpp>

namespace weir::cluster {

using json = nlohmann::json;

namespace {

constexpr std::size_t longest = std::size_t{16} << 20;
constexpr int deepest = 16;

[[noreturn]] void refuse(const char* key, const std::string& wanted) {
  throw protocol_error("\"" + std::string(key) + "\" in a message is not " + wanted);
}

}  // namespace

json parse_message(std::span<const std::byte> text) {
  if (text.size() > longest) throw protocol_error("a message has " + std::to_string(text.size()) + " bytes");
  const auto* const first = reinterpret_cast<const char*>(text.data());
  const auto keep = [](int depth, json::parse_event_t, const json&) {
    if (depth > deepest) throw protocol_error("a message is nested too deeply");
    return true;
  };
  json read;
  try {
    read = json::parse(first, first + text.size(), keep);
  } catch (const json::exception&) {
    throw protocol_error("a message is no JSON");
  }
  if (!read.is_object()) throw protocol_error("a message is no JSON object");
  return read;
}

const json& any_field(const json& of, const char* key) {
  const auto found = of.is_object() ? of.find(key) : of.end();
  if (found == of.end()) throw protocol_error("a message lacks \"" + std::string(key) + "\"");
  return *found;
}

namespace checked {

std::uint64_t whole_number(const json& value, const char* key, std::uint64_t most) {
  if (value.is_number_unsigned()) {
    if (const auto found = value.get<std::uint64_t>(); found <= most) return found;
  }
  refuse(key, "a whole number from 0 to " + std::to_string(most));
}
double number(const json& value, const char* key) {
  if (!value.is_number()) refuse(key, "a number");
  return value.get<double>();
}
std::int64_t time(const json& value, const char* key) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  if (value.is_number_integer() && (!value.is_number_unsigned() || value <= most)) {
    if (const auto found = value.get<std::int64_t>(); -most <= found && found <= most) return found;
  }
  refuse(key, "a time");
}
bool truth(const json& value, const char* key) {
  if (!value.is_boolean()) refuse(key, "true or false");
  return value.get<bool>();
}
const std::string& text(const json& value, const char* key) {
  if (!value.is_string()) refuse(key, "a string");
  return value.get_ref<const std::string&>();
}

}  // namespace checked

const json& array_of(const json& value, const char* key) {
  if (!value.is_array()) refuse(key, "an array");
  return value;
}
const json& object_of(const json& value, const char* key) {
  if (!value.is_object()) refuse(key, "an object");
  return value;
}

}  // namespace weir::cluster
