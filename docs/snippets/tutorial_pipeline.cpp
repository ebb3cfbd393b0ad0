// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1 4 9 16 25

#include <weir/weir.hpp>

#include <iostream>
#include <optional>

int main() {
  auto numbers = weir::source([next = 1]() mutable -> std::optional<int> {
    if (next > 5) return std::nullopt;  // the end of the stream
    return next++;
  });
  auto square = weir::node([](int n) { return n * n; });
  auto print = weir::sink([](int n) { std::cout << n << ' '; });

  weir::network net = numbers | square | print;
  weir::run(net);
}
