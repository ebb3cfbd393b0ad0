// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace wordcount {

/// The definitions of a word.
enum class word_kind {
  bytes,   ///< see below
  unicode  ///< see unicode_words.hpp
};

// A word is a longest run of ASCII letters, ASCII digits and bytes above 127. The letters of UTF-8
// text thus stay together, and bytes that are not UTF-8 are counted as they are.
inline constexpr std::array<bool, 256> part_of_word = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0; byte != 256; ++byte) {
    table[byte] =
        (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte > 127;
  }
  return table;
}();

inline bool in_word(char byte) noexcept { return part_of_word[static_cast<unsigned char>(byte)]; }

/// Calls `found(std::string_view)` for each word of the text, in order.
template <class Found>
void each_word(std::string_view text, Found&& found) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    while (at != end && !in_word(*at)) ++at;
    if (at == end) return;
    const char* const first = at;
    while (at != end && in_word(*at)) ++at;
    found(std::string_view(first, static_cast<std::size_t>(at - first)));
  }
}

/// Changes ASCII letters to lower case, and no other bytes.
inline void fold_case(std::string& text) noexcept {
  for (char& byte : text) {
    byte = static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte);
  }
}

}  // namespace wordcount
