// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 20 squares, 2470 in all

// Three nodes in a row: numbers, their squares, and a sum.

#include <weir/weir.hpp>

#include <iostream>
#include <optional>

int main() {
  int count = 0;
  long sum = 0;
  weir::network net = weir::source([next = 0L]() mutable -> std::optional<long> {
                        if (next == 20) return std::nullopt;
                        return next++;
                      }).named("numbers") |
                      weir::node([](long n) { return n * n; }).named("square") | weir::sink([&](long square) {
                                                                                   ++count;
                                                                                   sum += square;
                                                                                 }).named("sum");
  weir::run(net);
  std::cout << count << " squares, " << sum << " in all\n";
  if (std::cout.flush()) return 0;
  std::cerr << "01_pipeline: can't write standard output\n";
  return 1;
}
