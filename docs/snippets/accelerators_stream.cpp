// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 338350.100 items went through.*full

#include <weir/serve/accelerator.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <optional>
#include <thread>

int main() {
  auto square = weir::node([](long n) { return n * n; });
  {
    auto squares = weir::start(weir::farm(square, 2));  // an accelerator<long, long>; returns at once

    std::jthread producer([&] {
      for (long n = 1; n <= 100; ++n) squares.send(n);  // waits for room
      squares.close();                                  // the end of the stream
    });
    long sum = 0;
    while (std::optional<long> result = squares.receive()) sum += *result;  // waits for results; empty at the end

    std::cout << sum << '\n';
    const weir::report report = squares.wait();
    std::cout << report.nodes.front().sent << " items went through\n";
  }
  {
    auto squares = weir::start(square);
    for (long n = 0;; ++n) {
      if (auto refused = squares.try_send(n)) {  // does not wait: gives the item back
        std::cout << (refused->why == weir::refusal::full ? "full" : "closed") << '\n';
        break;
      }
    }
    squares.cancel();
  }
}
