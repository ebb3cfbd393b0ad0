// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Text in the cells of a terminal, in the character set of the locale (setlocale must have been
// called).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// How a terminal shows text.
struct text_style {
  bool utf8 = false;    ///< the locale's character set is UTF-8; else only ASCII is shown
  bool colour = false;  ///< SGR escape codes may be used
};

/// What the environment asks for: the locale, and NO_COLOR (no-color.org). `colour` only where
/// `escape_codes` are wanted at all.
text_style style_of_the_environment(bool escape_codes);

enum class side { left, right };

/// With `?` for all that a terminal would obey.
std::string harmless(std::string text);

/// Exactly `width` cells: the text, aligned to that side. Of one that is too long, its end, behind
/// an ellipsis.
std::string fitted(std::string_view text, std::size_t width, side to, const text_style& style);

/// As above, without filling it up; of one that is too long, its beginning.
std::string clipped(std::string_view text, std::size_t width, const text_style& style);

/// How many cells it takes.
std::size_t cells(std::string_view text, const text_style& style);

/// In lines of at most `width` bytes, broken at spaces where there are some.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// A bar of that many cells, of which a share is full.
std::string bar(double share, std::size_t width, const text_style& style);

/// Three digits and a letter: `0`, `9.87`, `123`, `4.56 k`, `78.9 M`. At most seven cells.
std::string short_number(double value);

/// `98 %`
std::string percent(double share);

/// `12.3 us`, `4.5 s`, `1:02:03`
std::string short_time(double seconds);

/// The text in an SGR code, if there are colours.
std::string painted(std::string_view text, const char* code, const text_style& style);
