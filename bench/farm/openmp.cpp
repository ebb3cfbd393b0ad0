// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../openmp_waiting.hpp"
#include "load.hpp"

using namespace weir_bench;

namespace {

// As many threads as the farm has workers. One of them makes a task for each item, and computes
// itself while many tasks wait. The sink is an addition in the thread that has the result.
duration timed_farm(std::int64_t items, const farm_load& load, const options&) {
  std::int64_t sum = 0;
  const int workers = static_cast<int>(load.workers());
  const stopwatch watch;
#pragma omp parallel num_threads(workers)
#pragma omp single
  for (std::int64_t item = 0; item != items; ++item) {
#pragma omp task default(none) firstprivate(item) shared(load, sum)
    {
      const std::int64_t result = load(item);
#pragma omp atomic
      sum += result;
    }
  }
  const duration took = watch.elapsed();
  verify("sum", sum, farm_sum(items));
  return took;
}

}  // namespace

int main(int argc, char** argv) {
  openmp_waits_actively(argc, argv);
  return farm_main(argc, argv, "farm", "openmp", timed_farm);
}
