// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace extsort {

/// `size` consecutive bytes that are tested at once. A set of these bytes is a mask, whose lowest
/// bit stands for the first byte.
class byte_scan {
 public:
  static constexpr std::size_t size = 32;

  explicit byte_scan(const char* at) noexcept { std::memcpy(bytes_.data(), at, size); }

  /// Returns the set of bytes that equal `c`.
  std::uint32_t equal_to(char c) const noexcept {
    std::uint32_t made = 0;
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8(c);
    const auto low = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes_[0], wanted)));
    const auto high = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes_[1], wanted)));
    made = high << (size / 2) | low;
#else
    for (std::size_t i = 0; i != size; ++i) made |= std::uint32_t{bytes_[i] == c} << i;
#endif
    return made;
  }

 private:
#ifdef __SSE2__
  struct half {
    __m128i bytes;
    operator __m128i() const noexcept { return bytes; }
  };
  std::array<half, 2> bytes_;
#else
  std::array<char, size> bytes_;
#endif
};

}  // namespace extsort
