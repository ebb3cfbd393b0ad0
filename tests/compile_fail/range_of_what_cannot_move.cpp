// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the elements of this range can't be moved
#include "weir/io/from.hpp"

#include <array>

struct fixed {
  fixed() = default;
  fixed(const fixed&) noexcept(false) {}
#ifdef CONTROL
  fixed(fixed&&) noexcept {}
#endif
};

int main() {
  std::array<fixed, 3> all;
  auto stream = weir::from(all);
}
