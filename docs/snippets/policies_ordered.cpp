// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1 4 9 16 25 .*; 3 3 3 4 4 4 5 5 5 6

#include <weir/weir.hpp>

#include <iostream>
#include <optional>

int main() {
  auto numbers = weir::source([next = 1]() mutable -> std::optional<int> {
    if (next > 100) return std::nullopt;
    return next++;
  });
  auto square = [](int n) { return n * n; };
  auto print = weir::sink([](int n) { std::cout << n << ' '; });

  // Four workers, and the same order as with one.
  weir::run(numbers | weir::farm(square, 4).on_demand().ordered() | print);
  std::cout << "; ";

  // Several blocks ordered as a whole, including filters and flat maps.
  auto three_times = [](int n, weir::outlet<int>& out) {
    for (int i = 0; i != 3; ++i) out.send(n);
  };
  auto large = [](int n) -> std::optional<int> {
    if (n < 3) return std::nullopt;
    return n;
  };
  auto both = weir::farm(large, 2) | weir::farm(three_times, 3);
  weir::run(numbers | both.ordered() | print);
}
