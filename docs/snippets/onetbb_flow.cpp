// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: sum 285

#include <weir/weir.hpp>

#include <iostream>
#include <optional>
#include <tuple>

int main() {
  auto input = weir::source([next = 0]() mutable -> std::optional<int> {
    if (next == 10) return std::nullopt;
    return next++;
  });
  long sum = 0;

  auto same = weir::node([](int n) { return n; });
  auto negated = weir::farm([](int n) { return -n; }, 4).ordered();
  auto add = weir::sink([&](std::tuple<int, int> both) { sum -= std::get<0>(both) * std::get<1>(both); });

  weir::run(input | weir::tee(same, negated) | weir::zip<int, int>() | add);
  std::cout << "sum " << sum << '\n';
}
