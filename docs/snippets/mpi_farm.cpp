// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 849666 steps

#include <weir/weir.hpp>

#include <iostream>
#include <optional>

namespace {

long steps_of(long n) {
  long steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

}  // namespace

int main() {
  auto numbers = weir::source([next = 0L]() mutable -> std::optional<long> {
    if (next == 10'000) return std::nullopt;
    return ++next;
  });
  long sum = 0;
  auto add = weir::sink([&](long steps) { sum += steps; });

  weir::network net = numbers.named("numbers") | weir::farm(&steps_of, 3).named("steps") | add.named("add");
  if (weir::run(net).in_result_group) std::cout << sum << " steps\n";
}
