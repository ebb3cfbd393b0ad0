// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace filesearch {

/// How rare a text is: the higher, the rarer, by the frequencies of its bytes in English text and
/// source code.
std::size_t rarity(std::string_view text);

/// Finds any of a few texts. It looks for two rare bytes of each at their distance, many places at
/// a time, and compares where both are found.
class text_finder {
 public:
  /// @param texts none of them empty; in lower case where `ignore_case` is set, which is about
  /// ASCII letters only
  text_finder(const std::vector<std::string>& texts, bool ignore_case);

  /// Where the first of them begins, at or after `from`; npos if none does.
  std::size_t find(std::string_view text, std::size_t from) const;

 private:
  static constexpr std::size_t block_places = 64;

  // A byte of a text: where it stands, and what it is once the bits in `ignored` are set.
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
  // Leaves in `at` how far it has looked in vain.
  std::size_t find_in_blocks(std::string_view text, std::size_t& at) const;
  std::size_t find_in_blocks_avx2(std::string_view text, std::size_t& at) const;

  std::vector<sought> sought_;
  bool ignore_case_;
  std::size_t longest_ = 0;
};

}  // namespace filesearch
