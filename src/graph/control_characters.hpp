// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace weir::detail {

/// Whether a byte of a text in UTF-8 is a control character, or the second byte of one (U+0080 to
/// U+009F): a terminal may obey it instead of showing it.
/// @param before the byte before it; 0: there is none
constexpr bool is_control(unsigned char before, unsigned char byte) noexcept {
  return byte < ' ' || byte == 0x7F || (before == 0xC2 && byte >= 0x80 && byte <= 0x9F);
}

constexpr bool has_control(std::string_view text) noexcept {
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_control(before, byte)) return true;
    before = byte;
  }
  return false;
}

}  // namespace weir::detail
