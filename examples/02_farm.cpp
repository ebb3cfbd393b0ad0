// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: 20000
// test-output: 2262 primes below 20000

// A farm: as many workers as there are cores test whether numbers are prime; a filter passes on
// only the primes.

#include <weir/weir.hpp>

#include <cstdlib>
#include <iostream>
#include <optional>

namespace {

// A node is any callable; one that returns an optional is a filter.
std::optional<long> if_prime(long n) {
  for (long divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return std::nullopt;
  }
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  const long limit = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  long primes = 0;
  weir::network net = weir::source([next = 2L, limit]() mutable -> std::optional<long> {
                        if (next >= limit) return std::nullopt;
                        return next++;
                      }).named("numbers") |
                      weir::farm(&if_prime).named("test") | weir::sink([&](long) { ++primes; }).named("count");
  const weir::report report = weir::run(net);
  std::cout << primes << " primes below " << limit << '\n' << report;
  if (std::cout.flush()) return 0;
  std::cerr << "02_farm: can't write standard output\n";
  return 1;
}
