// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../openmp_waiting.hpp"
#include "sums.hpp"

#include <unordered_map>

using namespace weir_bench;

// Each thread has a table of its own; the tables are added up one after the other.
int main(int argc, char** argv) {
  openmp_waits_actively(argc, argv);
  const options given = map_reduce_options(argc, argv);
  const std::int64_t items = given["items"];
  const auto customers = static_cast<std::uint64_t>(given["customers"]);
  std::unordered_map<std::uint64_t, std::int64_t> sums;
  const stopwatch watch;
#pragma omp parallel
  {
    std::unordered_map<std::uint64_t, std::int64_t> own;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < items; ++i) {
      const order one = order_of(i, customers);
      own[one.customer] += one.amount;
    }
#pragma omp critical
    for (const auto& [customer, sum] : own) sums[customer] += sum;
  }
  const duration took = watch.elapsed();
  std::int64_t total = 0;
  for (const auto& [customer, sum] : sums) total += sum;
  verify("total", total, total_of(items));
  print_result("map_reduce", "openmp", items, took);
}
