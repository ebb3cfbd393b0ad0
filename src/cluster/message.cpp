// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/message.hpp"

#include "cluster/frame.hpp"

#include <nlohmann/json.hpp>

namespace weir::cluster {

using json = nlohmann::json;

namespace {

constexpr std::size_t longest = std::size_t{16} << 20;
constexpr int deepest = 16;

const json& member(const json& of, const char* key, bool (*is)(const json&), const std::string& wanted) {
  const auto found = of.is_object() ? of.find(key) : of.end();
  if (found == of.end()) throw protocol_error("a message lacks \"" + std::string(key) + "\"");
  if (!is(*found)) throw protocol_error("\"" + std::string(key) + "\" in a message is not " + wanted);
  return *found;
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

namespace detail {

std::uint64_t whole_number(const json& of, const char* key, std::uint64_t most) {
  const std::string wanted = "a whole number from 0 to " + std::to_string(most);
  const json& found = member(
      of, key, [](const json& j) { return j.is_number_unsigned(); }, wanted);
  if (const auto value = found.get<std::uint64_t>(); value <= most) return value;
  throw protocol_error("\"" + std::string(key) + "\" in a message is not " + wanted);
}
double number(const json& of, const char* key) {
  return member(
             of, key, [](const json& j) { return j.is_number(); }, "a number")
      .get<double>();
}
std::int64_t time(const json& of, const char* key) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  const std::string wanted = "a time";
  const auto is_integer = [](const json& j) { return j.is_number_integer() && (!j.is_number_unsigned() || j <= most); };
  const auto value = member(of, key, is_integer, wanted).get<std::int64_t>();
  if (-most <= value && value <= most) return value;
  throw protocol_error("\"" + std::string(key) + "\" in a message is not " + wanted);
}
bool truth(const json& of, const char* key) {
  return member(
             of, key, [](const json& j) { return j.is_boolean(); }, "true or false")
      .get<bool>();
}
const std::string& text(const json& of, const char* key) {
  return member(
             of, key, [](const json& j) { return j.is_string(); }, "a string")
      .get_ref<const std::string&>();
}

}  // namespace detail

const json& array_field(const json& of, const char* key) {
  return member(
      of, key, [](const json& j) { return j.is_array(); }, "an array");
}
const json& object_field(const json& of, const char* key) {
  return member(
      of, key, [](const json& j) { return j.is_object(); }, "an object");
}

}  // namespace weir::cluster
