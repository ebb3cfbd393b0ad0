// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

#include <oneapi/tbb/parallel_pipeline.h>

using namespace weir_bench;

namespace {

duration timed_latency(std::int64_t nodes, std::int64_t items, samples& seen, const options&) {
  constexpr auto mode = tbb::filter_mode::serial_in_order;
  std::int64_t left = items;
  tbb::filter<void, std::int64_t> front =
      tbb::make_filter<void, std::int64_t>(mode, [&left](tbb::flow_control& flow) -> std::int64_t {
        if (left == 0) {
          flow.stop();
          return 0;
        }
        --left;
        return late_stamp();
      });
  for (std::int64_t i = 2; i != nodes; ++i) {
    front = front & tbb::make_filter<std::int64_t, std::int64_t>(mode, [](std::int64_t stamp) { return stamp; });
  }
  const stopwatch watch;
  tbb::parallel_pipeline(
      64, front & tbb::make_filter<std::int64_t, void>(mode, [&seen](std::int64_t stamp) { seen.arrived(stamp); }));
  return watch.elapsed();
}

}  // namespace

int main(int argc, char** argv) { return latency_main(argc, argv, "tbb_pipeline", timed_latency); }
