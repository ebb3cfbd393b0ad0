// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace weir::detail {

// The JSON parser and printer, compiled once here because they take longer to compile than most
// files that use them. The printer replaces bytes that are not UTF-8.

/// @throws nlohmann::json::exception if the text is not JSON; the second function also if an object
/// has a key twice
nlohmann::json parse_json(std::string_view text);
nlohmann::ordered_json parse_ordered_json(std::string_view text);

/// @param indent  blanks for each level; below 0: everything on one line
std::string text_of(const nlohmann::json& json, int indent = -1);
std::string text_of(const nlohmann::ordered_json& json, int indent = -1);

/// Returns the text as a JSON string, with quotes.
std::string quoted_json(std::string_view text);

}  // namespace weir::detail
