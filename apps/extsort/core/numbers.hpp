// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text_words.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace extsort {

/// Compares numbers as `sort -n` does: blanks, an optional minus, digits, a point, digits; no
/// number counts as 0.
std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept;

/// Returns a word of a number of at most `most` bytes, in a line that ends with `End` (after the
/// line, `record_slack` bytes may be read). Numbers compare as their words do, one after the other.
/// Nearly always the first word is also the last. Further words are like words of text.
template <char End>
std::uint64_t word_of_number(const char* text, std::size_t most, std::uint32_t column) noexcept;

/// Returns a lower bound of how many words two numbers share, if their first words are equal and
/// not the last. A word of a number of many digits takes as long as the whole number.
std::uint32_t equal_words(std::string_view a, std::string_view b) noexcept;

/// Returns the power of 1000 or 1024 for the unit after a number, as in `sort -h`: K or k, M, G, T,
/// P, E, Z, Y; negative for a negative number, 0 without a unit. Numbers compare by this power, and
/// then as those of `sort -n`.
/// @param most bytes @param folds_case all small letters are units, too
template <char End>
int order_of_unit(const char* text, std::size_t most, bool folds_case) noexcept;

/// Returns the power as a word, which precedes the number's own words.
inline std::uint64_t word_of_unit(int order) noexcept {
  constexpr int most = 8;
  return static_cast<std::uint64_t>(order + most) << 8 | text_goes_on;
}

}  // namespace extsort
