// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace weir_bench {

/// Sorts `items` random 64-bit numbers with `sort(numbers)`. --distinct n: only n different numbers
/// occur.
template <class Sort>
int sort_main(int argc, char** argv, const char* contender, Sort&& sort) {
  const options given(argc, argv, {{"items", 50'000'000}, {"distinct", 0}});
  std::mt19937_64 random(42);
  const auto distinct = static_cast<std::uint64_t>(given["distinct"]);
  std::uint64_t sum = 0;
  const auto make = [&](std::int64_t items) {
    std::vector<std::uint64_t> made(static_cast<std::size_t>(items));
    sum = 0;
    for (std::uint64_t& each : made) sum += each = distinct == 0 ? random() : random() % distinct;
    return made;
  };
  std::vector<std::uint64_t> numbers = make(given["items"] / 10);
  sort(numbers);
  numbers = make(given["items"]);
  const stopwatch watch;
  sort(numbers);
  const duration took = watch.elapsed();
  verify("order", std::is_sorted(numbers.begin(), numbers.end()), 1);
  for (const std::uint64_t each : numbers) sum -= each;
  verify("sum", static_cast<std::int64_t>(sum), 0);
  print_result("sort", contender, given["items"], took);
  return 0;
}

}  // namespace weir_bench
