// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include <weir/io/from.hpp>
#include <weir/weir.hpp>

#include <iostream>

// Adds up squares, and fails if the sum is wrong.
int main() {
  long sum = 0;
  weir::run(weir::from({1L, 2L, 3L, 4L}) | weir::farm([](long item) { return item * item; }, 2) |
            weir::sink([&](long item) { sum += item; }));
  std::cout << "weir " << weir::library_version() << ": " << sum << '\n';
  return sum == 30 ? 0 : 1;
}
