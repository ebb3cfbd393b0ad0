// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 9592 primes below 100000.6999881 = 7 . 999983

// An ordinary program that uses a block with open ends in two ways: it streams numbers through a
// farm from one thread, and asks a second farm for the divisors of single numbers from several
// threads.

#include <weir/serve/accelerator.hpp>
#include <weir/serve/server.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace {

long least_divisor(long n) {
  for (long d = 2; d * d <= n; ++d) {
    if (n % d == 0) return d;
  }
  return n;
}

long count_primes_below(long limit) {
  auto primes = weir::start(weir::farm(
      [](long n) -> std::optional<long> {
        if (n < 2 || least_divisor(n) != n) return std::nullopt;
        return n;
      },
      2));
  std::jthread feeder([&] {
    for (long n = 0; n != limit; ++n) primes.send(n);
    primes.close();
  });
  long count = 0;
  while (primes.receive()) ++count;
  return count;
}

std::map<long, long> divisors_of(const std::vector<long>& all) {
  auto divisors = weir::serve(weir::farm(&least_divisor, 2));
  std::map<long, long> found;
  std::mutex mutex;
  std::vector<std::jthread> callers;
  for (const long n : all) {
    callers.emplace_back([&, n] {
      const long divisor = divisors.request(n).get();  // the reply to this request, in whatever order replies come
      const std::lock_guard lock(mutex);
      found[n] = divisor;
    });
  }
  callers.clear();
  return found;
}

}  // namespace

int main() {
  std::cout << count_primes_below(100'000) << " primes below 100000\n";
  for (const auto& [n, divisor] : divisors_of({999'983, 999'983 * 7L})) {
    if (divisor != n) std::cout << n << " = " << divisor << " * " << n / divisor << '\n';
  }
  if (std::cout.flush()) return 0;
  std::cerr << "07_accelerator: can't write standard output\n";
  return 1;
}
