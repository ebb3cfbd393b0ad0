// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1 4 9 16 25

#include <weir/io/from.hpp>
#include <weir/weir.hpp>

#include <iostream>

int main() {
  auto numbers = weir::from({1, 2, 3, 4, 5});
  auto square = weir::node([](int n) { return n * n; });
  auto print = weir::sink([](int n) { std::cout << n << ' '; });

  weir::network net = numbers | square | print;
  weir::run(net);
}
