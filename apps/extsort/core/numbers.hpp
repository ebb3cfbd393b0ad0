// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text_words.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace extsort {

/// Numbers as `sort -n` has them: blanks, an optional minus, digits, a point, digits; nothing is 0.
std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept;

/// A word of a number that has at most so many bytes, in a line that ends with `End` (behind it,
/// `record_slack` may be read): numbers compare as their words do, one after the other; nearly
/// always the first one says that it is the last. Like words of text, which they have behind the
/// first.
template <char End>
std::uint64_t word_of_number(const char* text, std::size_t most, std::uint32_t column) noexcept;

/// Two numbers have the same first word, which goes on.
/// @return how many of their words are the same, at least. Words of a number of many digits take as
/// long as all of it.
std::uint32_t equal_words(std::string_view a, std::string_view b) noexcept;

/// The power of 1000 or 1024 that the unit behind a number stands for, as `sort -h` has it: K or k,
/// M, G, T, P, E, Z, Y; less than 0 if it is negative, 0 without a unit. A number compares by that,
/// and then as one of `sort -n`.
/// @param most bytes @param folds_case all small letters are units, too
template <char End>
int order_of_unit(const char* text, std::size_t most, bool folds_case) noexcept;

/// The power as a word, behind which the number's own words follow.
inline std::uint64_t word_of_unit(int order) noexcept {
  constexpr int most = 8;
  return static_cast<std::uint64_t>(order + most) << 8 | text_goes_on;
}

}  // namespace extsort
