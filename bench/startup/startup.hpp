// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <cstdint>
#include <vector>

namespace weir_bench {

/// Reads the arguments and measures `once(nodes)`, the whole life of a network without items, again
/// and again.
template <class Once>
int startup_main(int argc, char** argv, const char* contender, Once&& once) {
  const options given(argc, argv, {{"items", 50}, {"nodes", 16}, {"threads", 0}});
  const std::int64_t runs = given["items"];
  for (std::int64_t i = 0; i != 5; ++i) once(given["nodes"], given);
  std::vector<double> milliseconds;
  const stopwatch watch;
  for (std::int64_t i = 0; i != runs; ++i) {
    milliseconds.push_back(static_cast<double>(once(given["nodes"], given).wall_ns) / 1e6);
  }
  const duration took = watch.elapsed();
  print_result("startup", contender, runs, took,
               {{"median_ms", quantile(milliseconds, 0.5)}, {"p90_ms", quantile(milliseconds, 0.9)}});
  return 0;
}

}  // namespace weir_bench
