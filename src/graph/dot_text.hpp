// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace weir {

using colour = std::array<int, 3>;

/// `#rrggbb`, so far from `from` to `to` as `share` says, 0 to 1.
std::string mixed(const colour& from, const colour& to, double share);

/// In whole percent, without the sign.
std::string percent(double share);

/// For people: `7`, `9322`, `30.0 k`, `1.25 M`.
std::string short_number(double value);

/// A string of DOT, with its quotes.
std::string in_quotes(const std::string& text);

/// For labels in HTML: control characters appear as their escapes.
std::string html(const std::string& text);

/// The text as labels in HTML say it, broken between words into lines of at most so many bytes.
std::string html_lines(const std::string& text, std::size_t longest);

/// Such a label in small letters.
std::string small(const std::string& label);

/// Puts one label below another; either may be empty.
std::string below(const std::string& first, const std::string& second);

}  // namespace weir
