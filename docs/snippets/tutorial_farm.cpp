// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1229 primes, 10000 numbers tested by 4 workers

#include <weir/weir.hpp>

#include <array>
#include <cstddef>
#include <iostream>
#include <optional>
#include <utility>

// Each worker is a copy, so its members need no lock.
struct tester {
  int tested = 0;

  void process(int n, weir::outlet<int>& primes) {
    ++tested;
    if (n < 2) return;
    for (int d = 2; d * d <= n; ++d) {
      if (n % d == 0) return;
    }
    primes.send(n);
  }
  void finish(weir::outlet<int>& primes) { primes.send(-tested); }
};

int main() {
  auto numbers = weir::source([next = 0]() mutable -> std::optional<int> {
    if (next == 10'000) return std::nullopt;
    return next++;
  });

  int primes = 0;
  int tested = 0;
  int workers = 0;
  auto count = weir::sink([&](int n) {
    if (n > 0) {
      ++primes;
    } else {
      tested -= n;
      ++workers;
    }
  });

  weir::run(numbers | weir::farm(tester{}, 4) | count);
  std::cout << primes << " primes, " << tested << " numbers tested by " << workers << " workers\n";
}
