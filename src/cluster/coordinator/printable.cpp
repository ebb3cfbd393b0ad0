// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/printable.hpp"

#include <array>
#include <cstdio>

namespace weir::cluster {

std::string printable(const std::string& text) {
  std::string made;
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool second_of_control = before == 0xC2 && byte >= 0x80 && byte <= 0x9F;  // U+0080 to U+009F
    before = byte;
    if ((byte < ' ' && c != '\n' && c != '\t') || byte == 127 || second_of_control) {
      std::array<char, 5> digits{};
      std::snprintf(digits.data(), digits.size(), "\\%03o", static_cast<unsigned>(byte));
      made += digits.data();
    } else {
      made += c;
    }
  }
  return made;
}

}  // namespace weir::cluster
