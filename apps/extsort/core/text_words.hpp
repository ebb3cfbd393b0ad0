// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace extsort {

/// A word of text has seven bytes of it, with zeros after its end, and in the last byte their
/// number, or 8 if the text goes on. In a reversed order all bits of the word are inverted.
inline constexpr std::size_t word_bytes = 7;
inline constexpr std::uint64_t text_goes_on = 8;

inline bool goes_on(std::uint64_t word) noexcept {
  const std::uint64_t last = word & 0xff;
  return last == text_goes_on || last == (~text_goes_on & 0xff);
}
/// @param count number of bytes up to the end of the text, or any greater number
inline std::uint64_t word_of_text(std::uint64_t loaded_bytes, std::size_t count) noexcept {
  if (count > word_bytes) return (__builtin_bswap64(loaded_bytes) & ~std::uint64_t{0xff}) | text_goes_on;
  const std::uint64_t kept = loaded_bytes & ((std::uint64_t{1} << (8 * count)) - 1);
  return __builtin_bswap64(kept) | count;
}
/// Returns a mask whose lowest set bit is in the first byte that equals `End` (Mycroft).
template <char End>
std::uint64_t ends_in(std::uint64_t loaded_bytes) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t differing = loaded_bytes ^ ones * static_cast<unsigned char>(End);
  return (differing - ones) & ~differing & (ones << 7);
}
/// Returns the word of the bytes before the end of the line. Reads eight bytes.
template <char End>
std::uint64_t word_of_line(const char* at) noexcept {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  const std::uint64_t ends = ends_in<End>(bytes);
  return word_of_text(bytes, ends == 0 ? 8 : static_cast<std::size_t>(std::countr_zero(ends)) / 8);
}

}  // namespace extsort
