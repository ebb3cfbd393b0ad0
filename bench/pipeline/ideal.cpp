// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../ideal.hpp"

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 200'000}, {"nodes", 5}, {"work", 650}});
  const std::int64_t items = given["items"];
  const auto nodes = static_cast<std::uint64_t>(given["nodes"]);
  const work_scale scale;
  const std::uint64_t steps = scale.steps(given["work"]);

  const auto steps_of = [&](std::int64_t) { return steps * nodes; };
  ideal_run(items / 10, nodes, steps_of);
  const duration took = ideal_run(items, nodes, steps_of);

  const double work_ns = scale.ns(steps * nodes) * static_cast<double>(items);
  print_result("pipeline", "ideal", items, took,
               {{"efficiency", efficiency(work_ns, nodes, took)}, {"ns_per_step", scale.ns_per_step()}});
}
