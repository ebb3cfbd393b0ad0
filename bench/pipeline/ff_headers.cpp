// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../ff_parts.hpp"

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 10'000'000}, {"nodes", 5}, {"work", 0}});
  const std::int64_t items = given["items"];
  const std::int64_t nodes = given["nodes"];
  const work_scale scale;
  const std::uint64_t steps = scale.steps(given["work"]);

  timed_ff_pipeline(nodes, items / 10, steps);
  const duration took = timed_ff_pipeline(nodes, items, steps);

  const double work_ns = scale.ns(steps) * static_cast<double>(items * nodes);
  print_result("pipeline", "ff_headers", items, took,
               {{"efficiency", efficiency(work_ns, static_cast<std::size_t>(nodes), took)},
                {"ns_per_step", scale.ns_per_step()}});
}
