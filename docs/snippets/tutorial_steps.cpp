// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: 10000
// test-output: 6171 takes 261 steps

#include <weir/weir.hpp>

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

// A number, and the steps until it is 1: halve it if it is even, else take three times it and one.
struct path {
  std::uint64_t number;
  int steps;
};

path follow(std::uint64_t number) {
  int steps = 0;
  for (std::uint64_t n = number; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return {number, steps};
}

int main(int argc, char** argv) {
  const std::uint64_t limit = argc > 1 ? std::stoull(argv[1]) : 1'000'000;
  auto count = weir::source([limit, next = 0ULL]() mutable -> std::optional<std::uint64_t> {
    if (++next == limit) return std::nullopt;
    return next;
  });
  path longest{1, 0};
  auto keep = weir::sink([&](path each) {
    if (each.steps > longest.steps || (each.steps == longest.steps && each.number < longest.number)) longest = each;
  });

  weir::network net = count.named("count") | weir::farm(&follow, 4).named("follow") | keep.named("keep");
  const weir::report report = weir::run(net);
  // In a run of several processes, only one of them has the sink, and so the result.
  if (report.in_result_group) std::cout << longest.number << " takes " << longest.steps << " steps\n";
}
