// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "byte_scan.hpp"

#include <bit>
#include <cstdint>

namespace extsort {

/// Blanks in lines that end with `End`. As in `sort`, a newline is a blank if it does not end a
/// line.
template <char End>
struct blanks_of_lines {
  static constexpr bool has_newline = End != '\n';

  static bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || (has_newline && c == '\n'); }

  static std::uint32_t in(const byte_scan& bytes) noexcept {
    std::uint32_t found = bytes.equal_to(' ') | bytes.equal_to('\t');
    if constexpr (has_newline) found |= bytes.equal_to('\n');
    return found;
  }

  /// Returns the first byte that is not a blank.
  static const char* behind(const char* at) noexcept {
    while (true) {
      const std::uint32_t others = ~in(byte_scan(at));
      if (others != 0) return at + std::countr_zero(others);
      at += byte_scan::size;
    }
  }
};

}  // namespace extsort
