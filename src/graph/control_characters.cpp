// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/control_characters.hpp"

#include <array>
#include <cstdio>

namespace weir::detail {
namespace {

std::string without_controls(std::string_view text, std::string_view kept) {
  std::string made;
  while (!text.empty()) {
    std::size_t control = kept.find(text.front()) == std::string_view::npos ? control_at_front(text) : 0;
    if (control == 0) {
      made += text.front();
      text.remove_prefix(1);
    }
    for (; control != 0; --control, text.remove_prefix(1)) {
      std::array<char, 5> digits{};
      std::snprintf(digits.data(), digits.size(), "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(text[0])));
      made += digits.data();
    }
  }
  return made;
}

}  // namespace

std::string printable(std::string_view text) { return without_controls(text, ""); }
std::string printable_lines(std::string_view text) { return without_controls(text, "\n\t"); }

}  // namespace weir::detail
