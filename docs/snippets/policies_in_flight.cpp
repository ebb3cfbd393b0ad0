// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 10 20 30 40 .* 1000 ; never more than 8

#include <weir/weir.hpp>

#include <atomic>
#include <iostream>
#include <optional>

int main() {
  std::atomic<int> opened{0};
  std::atomic<int> most{0};
  auto numbers = weir::source([next = 1]() mutable -> std::optional<int> {
    if (next > 100) return std::nullopt;
    return next++;
  });
  auto open = [&](int n) {
    if (++opened > most) most = opened.load();
    return n;
  };
  auto read = [](int n) { return 10 * n; };
  auto close = [&](int n) {
    --opened;
    return n;
  };
  auto print = weir::sink([](int n) { std::cout << n << ' '; });

  // Each page keeps its file open from the first node to the last, and only eight files may be open
  // at a time.
  auto pages = weir::node(open) | weir::farm(read, 4) | weir::node(close);
  weir::run(numbers | pages.in_flight(8) | print);

  std::cout << (most <= 8 ? "; never more than 8" : "; too many") << '\n';
}
