// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace filesearch {

/// Returns how rare a text is, by the frequencies of its bytes in English text and source code; a
/// higher number is rarer.
std::size_t rarity(std::string_view text);

/// Finds any of a few texts. For each text, it looks for two rare bytes at their distance, at many
/// places at a time, and compares the text where both are found.
class text_finder {
 public:
  /// @param texts none of them empty; in lower case if `ignore_case` is set, which concerns ASCII
  /// letters only
  text_finder(const std::vector<std::string>& texts, bool ignore_case);

  /// Returns the place of the first of the texts at or after `from`; npos if there is none.
  std::size_t find(std::string_view text, std::size_t from) const;

 private:
  static constexpr std::size_t block_places = 64;

  // A byte of a text: its place, and its value with the bits in `ignored` set.
  struct probe {
    std::size_t at;
    unsigned char byte;
    unsigned char ignored;
  };
  struct sought {
    std::string text;
    probe rarest;
    probe other;
  };

  static bool may_begin_in_block(const sought& one, const unsigned char* block) noexcept;
  bool begins_at(const sought& one, const char* at) const noexcept;
  static std::array<unsigned char, block_places> places_in_block(const sought& one,
                                                                 const unsigned char* block) noexcept;
  bool may_begin_in_block(const unsigned char* block) const noexcept;
  std::size_t first_in_block(const char* block) const noexcept;
  // Sets `at` to the place up to which nothing was found.
  std::size_t find_in_blocks(std::string_view text, std::size_t& at) const;
  std::size_t find_in_blocks_avx2(std::string_view text, std::size_t& at) const;

  std::vector<sought> sought_;
  bool ignore_case_;
  std::size_t longest_ = 0;
};

}  // namespace filesearch
