// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/graph/graph.hpp>
#include <weir/run/choose_tuning.hpp>

#include "../weir_parts.hpp"

#include <vector>

using namespace weir_bench;

namespace {

// A pipeline of light nodes, with a source and a sink.
duration timed_run_of(std::int64_t items, std::int64_t nodes, const weir::tuning& how) {
  std::int64_t count = 0;
  std::int64_t sum = 0;
  weir::network net =
      weir::source(counting_source{items}) | chain(nodes, adder{}) | weir::sink(adding_sink{&count, &sum});
  const duration took = timed_run(std::move(net), {.tuned = how});
  verify("count", count, items);
  verify("sum", sum, items * (items - 1) / 2 + items * nodes);
  return took;
}

weir::tuning chosen_for(std::int64_t items, std::int64_t nodes) {
  std::int64_t count = 0;
  std::int64_t sum = 0;
  weir::network net =
      weir::source(counting_source{items}) | chain(nodes, adder{}) | weir::sink(adding_sink{&count, &sum});
  const weir::report report = weir::run(net);
  return weir::choose_tuning(net.resolve(weir::available_cores()), report, weir::available_cores());
}

}  // namespace

// Measures the speedup of a pipeline of light nodes by the tuning that is chosen from a profile:
// the median over pairs of runs. `items` and the time are those of all tuned runs.
int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 5'000'000}, {"nodes", 16}, {"pairs", 5}});
  const std::int64_t items = given["items"];
  const weir::tuning how = chosen_for(items, given["nodes"]);
  duration took;
  std::vector<double> faster;
  for (std::int64_t i = 0; i != given["pairs"]; ++i) {
    const duration plain = timed_run_of(items, given["nodes"], {});
    const duration tuned = timed_run_of(items, given["nodes"], how);
    took.wall_ns += tuned.wall_ns;
    took.cpu_ns += tuned.cpu_ns;
    faster.push_back(static_cast<double>(plain.wall_ns) / static_cast<double>(tuned.wall_ns));
  }
  print_result("tuning", "weir", items * given["pairs"], took,
               {{"times_as_fast", quantile(faster, 0.5)}, {"pieces", static_cast<double>(how.fused.size())}});
}
