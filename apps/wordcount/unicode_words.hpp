// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "word_break_table.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace wordcount {

/// Cuts UTF-8 text at the default word boundaries of Unicode Standard Annex #29, section 4. Each
/// byte outside well-formed UTF-8 is a segment of its own.
class word_segments {
 public:
  explicit word_segments(std::string_view text) noexcept;

  struct segment {
    std::string_view text;
    bool is_word = false;  ///< the segment has a letter or a number
  };
  /// Returns the next segment; none at the end of the text.
  std::optional<segment> next() noexcept;

 private:
  struct character {
    word_break kind = word_break::other;
    bool is_pictograph = false;
    bool counts = false;   ///< the character is a letter or a number
    std::size_t size = 1;  ///< bytes
  };
  character at(std::size_t place) const noexcept;
  word_break significant_from(std::size_t place) const noexcept;
  bool goes_on(const character& by) const noexcept;
  bool goes_on_by_kinds(const character& by) const noexcept;
  void add(const character& one) noexcept;

  std::string_view text_;
  const character_properties* properties_;
  std::size_t place_ = 0;
  // State of the present segment.
  word_break last_{};                    // kind of its last character
  word_break significant_{}, before_{};  // kinds of the last two characters that rule WB4 does not ignore
  std::size_t indicators_ = 0;           // number of regional indicators at its end
};

/// Calls `found(std::string_view)` for each segment of the text that is a word, in order.
template <class Found>
void each_unicode_word(std::string_view text, Found&& found) {
  word_segments segments(text);
  while (const auto each = segments.next()) {
    if (each->is_word) found(each->text);
  }
}

/// Returns the place of the last byte before which there is a word boundary, whatever follows the
/// text: a blank or a control character. 0: there is none after the first byte.
std::size_t last_sure_boundary(std::string_view text) noexcept;

}  // namespace wordcount
