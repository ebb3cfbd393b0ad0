// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 10 numbers

#include <weir/weir.hpp>

#include <iostream>

int main() {
  // A source written as a loop. It has a thread of its own, and may take as long as it likes
  // between two items.
  auto numbers = weir::source([](weir::outlet<int>& out) {
    for (int n = 0; n != 10; ++n) out.send(n);
  });

  int count = 0;
  weir::run(numbers | weir::sink([&](int) { ++count; }));
  std::cout << count << " numbers\n";
}
