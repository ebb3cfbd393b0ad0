// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace weir::detail {
namespace {

template <class Json>
std::string printed(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::ordered_json parse_ordered_json(std::string_view text) {
  using json = nlohmann::ordered_json;
  std::vector<std::set<std::string>> keys;  // of the objects around
  return json::parse(text, [&](int, json::parse_event_t event, const json& value) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      throw json::other_error::create(501, "an object has the key " + value.dump() + " twice", nullptr);
    return true;
  });
}

std::string text_of(const nlohmann::json& json, int indent) { return printed(json, indent); }
std::string text_of(const nlohmann::ordered_json& json, int indent) { return printed(json, indent); }

std::string quoted_json(std::string_view text) { return printed(nlohmann::json(text), -1); }

}  // namespace weir::detail
