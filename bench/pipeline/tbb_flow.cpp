// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../harness.hpp"

#include <oneapi/tbb/flow_graph.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

using namespace weir_bench;
namespace flow = oneapi::tbb::flow;

namespace {

// As is usual with flow graphs, function nodes queue items that they can't take at once, without a
// limit.
duration timed_pipeline(std::int64_t nodes, std::int64_t items, std::uint64_t steps) {
  flow::graph graph;
  std::int64_t made = 0;
  tally sum;
  flow::input_node<std::int64_t> source(graph, [&made, items, steps](oneapi::tbb::flow_control& end) -> std::int64_t {
    if (made == items) {
      end.stop();
      return 0;
    }
    spin(steps);
    return made++;
  });
  std::vector<std::unique_ptr<flow::function_node<std::int64_t, std::int64_t>>> middle;
  for (std::int64_t i = 2; i != nodes; ++i) {
    middle.push_back(std::make_unique<flow::function_node<std::int64_t, std::int64_t>>(graph, flow::serial,
                                                                                       [steps](std::int64_t item) {
                                                                                         spin(steps);
                                                                                         return item + 1;
                                                                                       }));
    if (i == 2) {
      flow::make_edge(source, *middle.back());
    } else {
      flow::make_edge(*middle[middle.size() - 2], *middle.back());
    }
  }
  flow::function_node<std::int64_t> sink(graph, flow::serial, [&sum, steps](std::int64_t item) {
    spin(steps);
    sum.value += item;
  });
  flow::make_edge(*middle.back(), sink);

  const stopwatch watch;
  source.activate();
  graph.wait_for_all();
  const duration took = watch.elapsed();
  verify("sum", sum.value, items * (items - 1) / 2 + items * (nodes - 2));
  return took;
}

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 200'000}, {"nodes", 5}, {"work", 0}});
  const std::int64_t items = given["items"];
  const std::int64_t nodes = given["nodes"];
  const work_scale scale;
  const std::uint64_t steps = scale.steps(given["work"]);

  timed_pipeline(nodes, items / 10, steps);
  const duration took = timed_pipeline(nodes, items, steps);

  const double work_ns = scale.ns(steps) * static_cast<double>(items * nodes);
  print_result("pipeline", "tbb_flow", items, took,
               {{"efficiency", efficiency(work_ns, static_cast<std::size_t>(nodes), took)},
                {"ns_per_step", scale.ns_per_step()}});
}
