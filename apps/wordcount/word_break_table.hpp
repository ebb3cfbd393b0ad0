// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace wordcount {

/// Values of the property Word_Break (Unicode Standard Annex #29, section 4.1).
enum class word_break : std::uint8_t {
  other,
  cr,
  lf,
  newline,
  extend,
  zwj,
  format,
  regional_indicator,
  katakana,
  hebrew_letter,
  aletter,
  single_quote,
  double_quote,
  midnumlet,
  midletter,
  midnum,
  numeric,
  extendnumlet,
  wsegspace
};

/// Properties of a character in one byte: its `word_break`, and two flags.
using character_properties = std::uint8_t;
inline constexpr character_properties is_pictograph = 1 << 6;        ///< Extended_Pictographic
inline constexpr character_properties is_letter_or_number = 1 << 7;  ///< derived from General_Category

/// Returns the properties of all characters as consecutive ranges. Each entry is the first
/// character of a range times 256, plus the properties.
std::span<const std::uint32_t> word_break_ranges() noexcept;

/// Version of Unicode that the properties are from.
extern const char* const unicode_version;

}  // namespace wordcount
