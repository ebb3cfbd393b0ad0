// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 11 results.*/set2/double .*/set2/triple .*/set3.0. .*/set3.1. .*fused: 22

#include <weir/weir.hpp>

#include <iostream>
#include <optional>

namespace {

auto numbers(int count) {
  return weir::source([count, next = 0]() mutable -> std::optional<int> {
    if (next == count) return std::nullopt;
    return next++;
  });
}

void different_nodes_side_by_side() {
  auto twice = weir::node([](int n) { return 2 * n; }).named("double");
  auto thrice = weir::node([](int n) { return 3 * n; }).named("triple");
  auto even = weir::node([](int n) -> std::optional<int> { return n % 2 == 0 ? std::optional(n) : std::nullopt; });
  auto all = weir::node([](int n) { return n; });

  // Each of the two left nodes reaches each of the two right ones.
  auto exchange = weir::all_to_all(weir::set(twice, thrice).broadcast(), weir::set(even, all).broadcast());

  int results = 0;
  const weir::report report = weir::run(numbers(3) | exchange | weir::sink([&](int) { ++results; }));
  std::cout << results << " results\n" << report;
}

void several_nodes_in_one() {
  // One node that adds one and then doubles, without a channel in between.
  auto both = weir::fuse([](int n) { return n + 1; }, [](int n) { return 2 * n; });

  int last = 0;
  weir::run(numbers(11) | both | weir::sink([&](int n) { last = n; }));
  std::cout << "fused: " << last << '\n';
}

}  // namespace

int main() {
  different_nodes_side_by_side();
  several_nodes_in_one();
}
