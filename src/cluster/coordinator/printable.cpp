// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/printable.hpp"

#include "graph/control_characters.hpp"

#include <array>
#include <cstdio>

namespace weir::cluster {

std::string printable(const std::string& text) {
  std::string made;
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_control = c != '\n' && c != '\t' && detail::is_control(before, byte);
    before = byte;
    if (is_control) {
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
