// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace weir::detail {

using colour = std::array<int, 3>;

/// Returns the colour `#rrggbb` between `from` and `to` at `share`, 0 to 1.
std::string mixed(const colour& from, const colour& to, double share);

/// Returns the share in whole percent, without the sign.
std::string percent(double share);

/// Returns a number in short form for people: `7`, `9322`, `30.0 k`, `1.25 M`.
std::string short_number(double value);

/// Returns the text as a string in DOT, with quotes.
std::string in_quotes(const std::string& text);

/// Escapes text for labels in HTML. Control characters appear as their escapes.
std::string html(const std::string& text);

/// Escapes text for labels in HTML, broken between words into lines of at most `longest` bytes.
std::string html_lines(const std::string& text, std::size_t longest);

/// Returns the label in small letters.
std::string small(const std::string& label);

/// Puts one label below another. Either may be empty.
std::string below(const std::string& first, const std::string& second);

}  // namespace weir::detail
