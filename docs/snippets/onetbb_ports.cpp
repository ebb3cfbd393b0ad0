// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 5 even, 5 odd

#include <weir/weir.hpp>

#include <iostream>
#include <optional>

int main() {
  auto input = weir::source([next = 0]() mutable -> std::optional<int> {
    if (next == 10) return std::nullopt;
    return next++;
  });
  int even = 0;
  int odd = 0;

  auto sort_out = [](int n, weir::outlet<int>& evens, weir::outlet<int>& odds) { (n % 2 == 0 ? evens : odds).send(n); };
  auto count_even = weir::sink([&](int) { ++even; });
  auto count_odd = weir::sink([&](int) { ++odd; });

  weir::run(input | sort_out | weir::split(count_even, count_odd));
  std::cout << even << " even, " << odd << " odd\n";
}
