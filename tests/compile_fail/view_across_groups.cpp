// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: one that looks at memory elsewhere, such as a std::span, can't
#include "weir/patterns/across_groups.hpp"
#include "weir/patterns/divide_and_conquer.hpp"

#include <array>
#include <span>

#ifdef CONTROL
using numbers = std::array<int, 4>;
#else
using numbers = std::span<int>;
#endif

int main() {
  weir::divide_and_conquer(
      weir::across_groups(), numbers(), [](const numbers&) { return true; }, [](numbers&) { return 0; },
      [](numbers& all) {
        return std::array{all, all};
      },
      [](std::array<int, 2> both) { return both[0] + both[1]; });
}
