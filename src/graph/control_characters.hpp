// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::detail {

/// Number of bytes, 0 to 2, of the control character that a text in UTF-8 begins with: one that a
/// terminal may obey instead of showing it, also U+0080 to U+009F. 0: it begins with none.
constexpr std::size_t control_at_front(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  if (byte(0) < ' ' || byte(0) == 0x7F) return 1;
  return text.size() > 1 && byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F ? 2 : 0;
}

constexpr bool has_control(std::string_view text) noexcept {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (control_at_front(text) != 0) return true;
  }
  return false;
}

/// Replaces control characters by the octal codes of their bytes, for texts that may contain any
/// bytes and are printed.
std::string printable(std::string_view text);

/// As `printable`, but keeps line ends and tabs.
std::string printable_lines(std::string_view text);

}  // namespace weir::detail
