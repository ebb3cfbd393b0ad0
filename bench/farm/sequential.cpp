// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "load.hpp"

using namespace weir_bench;

// The loop that a farm replaces; speedups are relative to it.
int main(int argc, char** argv) {
  return farm_main(argc, argv, "farm", "sequential", [](std::int64_t items, const farm_load& load, const options&) {
    std::int64_t sum = 0;
    const stopwatch watch;
    for (std::int64_t item = 0; item != items; ++item) sum += load(item);
    const duration took = watch.elapsed();
    verify("sum", sum, farm_sum(items));
    return took;
  });
}
