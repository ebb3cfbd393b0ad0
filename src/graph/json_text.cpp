// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

namespace weir::detail {
namespace {

template <class Json>
std::string printed(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }
nlohmann::ordered_json parse_ordered_json(std::string_view text) { return nlohmann::ordered_json::parse(text); }

std::string text_of(const nlohmann::json& json, int indent) { return printed(json, indent); }
std::string text_of(const nlohmann::ordered_json& json, int indent) { return printed(json, indent); }

std::string quoted_json(std::string_view text) { return printed(nlohmann::json(text), -1); }

}  // namespace weir::detail
