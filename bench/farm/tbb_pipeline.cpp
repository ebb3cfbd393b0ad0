// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "load.hpp"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace weir_bench;

namespace {

// Uses as many threads as the farm has workers, but at most one a core. Each thread takes items
// through all three filters. Items arrive in any order, as in the other farms.
duration timed_farm(std::int64_t items, const farm_load& load, const options& given) {
  std::int64_t made = 0;
  tally sum;
  const tbb::filter<void, void> whole =
      tbb::make_filter<void, std::int64_t>(tbb::filter_mode::serial_in_order,
                                           [&made, items](tbb::flow_control& flow) -> std::int64_t {
                                             if (made == items) {
                                               flow.stop();
                                               return 0;
                                             }
                                             return made++;
                                           }) &
      tbb::make_filter<std::int64_t, std::int64_t>(tbb::filter_mode::parallel,
                                                   [&load](std::int64_t item) { return load(item); }) &
      tbb::make_filter<std::int64_t, void>(tbb::filter_mode::serial_out_of_order,
                                           [&sum](std::int64_t item) { sum.value += item; });
  tbb::task_arena arena(static_cast<int>(std::min(load.workers(), cores())));
  const stopwatch watch;
  arena.execute([&] { tbb::parallel_pipeline(static_cast<std::size_t>(given["tokens"]), whole); });
  const duration took = watch.elapsed();
  verify("sum", sum.value, farm_sum(items));
  return took;
}

}  // namespace

int main(int argc, char** argv) { return farm_main(argc, argv, "farm", "tbb_pipeline", timed_farm); }
