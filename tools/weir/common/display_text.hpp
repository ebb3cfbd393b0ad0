// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Text in the cells of a terminal, in the character set of the locale (setlocale must have been
// called).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The way in which a terminal shows text.
struct text_style {
  bool utf8 = false;    ///< the locale's character set is UTF-8; else only ASCII is shown
  bool colour = false;  ///< SGR escape codes may be used
};

/// Returns the style that the environment asks for by the locale and NO_COLOR (no-color.org).
/// `colour` is set only if `escape_codes` are wanted at all.
text_style style_of_the_environment(bool escape_codes);

enum class side { left, right };

/// Replaces by `?` every character that a terminal would interpret as a control character.
std::string harmless(std::string text);

/// Returns exactly `width` cells: the text, aligned to that side. A text that is too long is cut to
/// its end, behind an ellipsis.
std::string fitted(std::string_view text, std::size_t width, side to, const text_style& style);

/// Like `fitted`, but without padding; a text that is too long is cut to its beginning.
std::string clipped(std::string_view text, std::size_t width, const text_style& style);

/// Returns the number of cells that the text takes.
std::size_t cells(std::string_view text, const text_style& style);

/// Splits the text into lines of at most `width` bytes, at spaces where possible.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Returns a bar of that many cells, with this share of them full.
std::string bar(double share, std::size_t width, const text_style& style);

/// Returns three digits and a letter: `0`, `9.87`, `123`, `4.56 k`, `78.9 M`. At most seven cells.
std::string short_number(double value);

/// `98 %`
std::string percent(double share);

/// `12.3 us`, `4.5 s`, `1:02:03`
std::string short_time(double seconds);

/// Returns the text in an SGR code if colours are used.
std::string painted(std::string_view text, const char* code, const text_style& style);
