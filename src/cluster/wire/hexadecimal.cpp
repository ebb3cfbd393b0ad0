// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/cluster/sha256.hpp"

namespace weir::detail {

std::string hexadecimal(std::span<const unsigned char> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string made;
  made.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes) (made += digits[byte >> 4]) += digits[byte & 15];
  return made;
}

}  // namespace weir::detail
