// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules WB3 to WB999 of Unicode Standard Annex #29. Sets of kinds are masks, a bit for each
// kind.
#include "unicode_words.hpp"

#include <cstdint>
#include <utility>

namespace wordcount {
namespace {

constexpr std::size_t characters = 0x110000;

constexpr std::uint32_t set_of(word_break kind) noexcept { return std::uint32_t{1} << static_cast<unsigned>(kind); }
constexpr bool is_in(std::uint32_t set, word_break kind) noexcept { return (set & set_of(kind)) != 0; }

using enum word_break;
constexpr std::uint32_t line_ends = set_of(cr) | set_of(lf) | set_of(newline);
constexpr std::uint32_t passed_over = set_of(extend) | set_of(format) | set_of(zwj);  // WB4
constexpr std::uint32_t letters = set_of(aletter) | set_of(hebrew_letter);
constexpr std::uint32_t between_letters = set_of(midletter) | set_of(midnumlet) | set_of(single_quote);
constexpr std::uint32_t between_numbers = set_of(midnum) | set_of(midnumlet) | set_of(single_quote);
constexpr std::uint32_t numbers = set_of(numeric);
constexpr std::uint32_t before_extender = letters | numbers | set_of(katakana) | set_of(extendnumlet);
constexpr std::uint32_t behind_extender = letters | numbers | set_of(katakana);

// Properties indexed by character, so that a lookup is one access.
const character_properties* all_properties() {
  static const std::vector<character_properties> made = [] {
    std::vector<character_properties> table(characters);
    const auto ranges = word_break_ranges();
    for (std::size_t i = 0; i != ranges.size(); ++i) {
      const std::size_t end = i + 1 == ranges.size() ? characters : ranges[i + 1] >> 8;
      for (std::size_t c = ranges[i] >> 8; c != end; ++c) table[c] = static_cast<character_properties>(ranges[i]);
    }
    return table;
  }();
  return made.data();
}

struct decoded {
  char32_t character = 0;
  std::size_t size = 0;  // bytes; 0: not well-formed
};

// Decodes a character by table 3-7 of the Unicode Standard.
decoded decode(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return {};
  char32_t made = first & (0x7fU >> size);
  for (std::size_t i = 1; i != size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    made = made << 6 | (byte(i) & 0x3fU);
  }
  const bool is_surrogate = made >= 0xd800 && made < 0xe000;
  const bool is_overlong = made < (size == 4 ? 0x10000U : size == 3 ? 0x800U : 0x80U);
  if (is_surrogate || is_overlong || made >= characters) return {};
  return {made, size};
}

}  // namespace

word_segments::word_segments(std::string_view text) noexcept : text_(text), properties_(all_properties()) {}

auto word_segments::at(std::size_t place) const noexcept -> character {
  const decoded found = decode(text_.substr(place));
  if (found.size == 0) return {};
  const character_properties of = properties_[found.character];
  return {.kind = static_cast<word_break>(of & (is_pictograph - 1)),
          .is_pictograph = (of & is_pictograph) != 0,
          .counts = (of & is_letter_or_number) != 0,
          .size = found.size};
}

auto word_segments::next() noexcept -> std::optional<segment> {
  if (place_ == text_.size()) return std::nullopt;
  const std::size_t begin = place_;
  last_ = significant_ = before_ = other;
  indicators_ = 0;
  character present = at(place_);
  bool is_word = false;
  do {
    add(present);
    is_word = is_word || present.counts;
    place_ += present.size;
    if (place_ == text_.size()) break;
    present = at(place_);
  } while (goes_on(present));
  return segment{text_.substr(begin, place_ - begin), is_word};
}

void word_segments::add(const character& one) noexcept {
  last_ = one.kind;
  if (is_in(passed_over, one.kind)) return;
  before_ = std::exchange(significant_, one.kind);
  indicators_ = one.kind == regional_indicator ? indicators_ + 1 : 0;
}

// Whether there is no boundary before a character.
bool word_segments::goes_on(const character& by) const noexcept {
  if (is_in(line_ends, last_) || is_in(line_ends, by.kind)) return last_ == cr && by.kind == lf;  // WB3, 3a, 3b
  if (last_ == zwj && by.is_pictograph) return true;                                              // WB3c
  if (last_ == wsegspace && by.kind == wsegspace) return true;                                    // WB3d
  return is_in(passed_over, by.kind) || goes_on_by_kinds(by);                                     // WB4
}

bool word_segments::goes_on_by_kinds(const character& by) const noexcept {
  const word_break left = significant_, right = by.kind;
  const bool behind_letter = is_in(letters, left), behind_number = is_in(numbers, left);
  if (is_in(letters, right)) {
    if (behind_letter || behind_number) return true;                                              // WB5, 10
    if (is_in(between_letters, left) && is_in(letters, before_)) return true;                     // WB7
    if (left == double_quote && before_ == hebrew_letter && right == hebrew_letter) return true;  // WB7c
  }
  if (is_in(numbers, right)) {
    if (behind_letter || behind_number) return true;                           // WB8, 9
    if (is_in(between_numbers, left) && is_in(numbers, before_)) return true;  // WB11
  }
  if (left == hebrew_letter && right == single_quote) return true;  // WB7a
  const auto following = [&] { return significant_from(place_ + by.size); };
  if (behind_letter && is_in(between_letters, right) && is_in(letters, following())) return true;   // WB6
  if (left == hebrew_letter && right == double_quote && following() == hebrew_letter) return true;  // WB7b
  if (behind_number && is_in(between_numbers, right) && is_in(numbers, following())) return true;   // WB12
  if (left == katakana && right == katakana) return true;                                           // WB13
  if (right == extendnumlet && is_in(before_extender, left)) return true;                           // WB13a
  if (left == extendnumlet && is_in(behind_extender, right)) return true;                           // WB13b
  return left == regional_indicator && right == regional_indicator && indicators_ % 2 == 1;         // WB15, 16
}

// Returns the kind of the first character from `place` on that rule WB4 does not ignore.
word_break word_segments::significant_from(std::size_t place) const noexcept {
  while (place < text_.size()) {
    const character found = at(place);
    if (!is_in(passed_over, found.kind)) return found.kind;
    place += found.size;
  }
  return other;
}

std::size_t last_sure_boundary(std::string_view text) noexcept {
  for (std::size_t place = text.size(); place-- > 1;)
    if (static_cast<unsigned char>(text[place]) <= ' ') return place;
  return 0;
}

}  // namespace wordcount
