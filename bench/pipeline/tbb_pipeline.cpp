// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../harness.hpp"

#include <oneapi/tbb/parallel_pipeline.h>

#include <cstddef>
#include <cstdint>

using namespace weir_bench;

namespace {

duration timed_pipeline(std::int64_t nodes, std::int64_t items, std::uint64_t steps, std::size_t tokens) {
  constexpr auto mode = tbb::filter_mode::serial_in_order;
  std::int64_t made = 0;
  tally sum;
  tbb::filter<void, std::int64_t> front =
      tbb::make_filter<void, std::int64_t>(mode, [&made, items, steps](tbb::flow_control& flow) -> std::int64_t {
        if (made == items) {
          flow.stop();
          return 0;
        }
        spin(steps);
        return made++;
      });
  for (std::int64_t i = 2; i != nodes; ++i) {
    front = front & tbb::make_filter<std::int64_t, std::int64_t>(mode, [steps](std::int64_t item) {
              spin(steps);
              return item + 1;
            });
  }
  const tbb::filter<void, void> whole =
      front & tbb::make_filter<std::int64_t, void>(mode, [&sum, steps](std::int64_t item) {
        spin(steps);
        sum.value += item;
      });
  const stopwatch watch;
  tbb::parallel_pipeline(tokens, whole);
  const duration took = watch.elapsed();
  verify("sum", sum.value, items * (items - 1) / 2 + items * (nodes - 2));
  return took;
}

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 500'000}, {"nodes", 5}, {"work", 0}, {"tokens", 64}});
  const std::int64_t items = given["items"];
  const std::int64_t nodes = given["nodes"];
  const auto tokens = static_cast<std::size_t>(given["tokens"]);
  const work_scale scale;
  const std::uint64_t steps = scale.steps(given["work"]);

  timed_pipeline(nodes, items / 10, steps, tokens);
  const duration took = timed_pipeline(nodes, items, steps, tokens);

  const double work_ns = scale.ns(steps) * static_cast<double>(items * nodes);
  print_result("pipeline", "tbb_pipeline", items, took,
               {{"efficiency", efficiency(work_ns, static_cast<std::size_t>(nodes), took)},
                {"tokens", static_cast<double>(tokens)},
                {"ns_per_step", scale.ns_per_step()}});
}
