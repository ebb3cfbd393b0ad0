// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sums.hpp"

#include <unordered_map>

using namespace weir_bench;

// A loop on one thread.
int main(int argc, char** argv) {
  const options given = map_reduce_options(argc, argv);
  const std::int64_t items = given["items"];
  const auto customers = static_cast<std::uint64_t>(given["customers"]);
  std::unordered_map<std::uint64_t, std::int64_t> sums;
  const stopwatch watch;
  for (std::int64_t i = 0; i != items; ++i) {
    const order one = order_of(i, customers);
    sums[one.customer] += one.amount;
  }
  const duration took = watch.elapsed();
  std::int64_t total = 0;
  for (const auto& [customer, sum] : sums) total += sum;
  verify("total", total, total_of(items));
  print_result("map_reduce", "plain", items, took);
}
