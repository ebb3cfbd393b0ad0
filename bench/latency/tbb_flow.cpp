// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

#include <oneapi/tbb/flow_graph.h>

#include <memory>
#include <vector>

using namespace weir_bench;
namespace flow = oneapi::tbb::flow;

namespace {

duration timed_latency(std::int64_t nodes, std::int64_t items, samples& seen, const options&) {
  flow::graph graph;
  flow::input_node<std::int64_t> source(graph, [left = items](oneapi::tbb::flow_control& end) mutable -> std::int64_t {
    if (left == 0) {
      end.stop();
      return 0;
    }
    --left;
    return late_stamp();
  });
  std::vector<std::unique_ptr<flow::function_node<std::int64_t, std::int64_t>>> middle;
  for (std::int64_t i = 2; i != nodes; ++i) {
    middle.push_back(std::make_unique<flow::function_node<std::int64_t, std::int64_t>>(
        graph, flow::serial, [](std::int64_t stamp) { return stamp; }));
    if (i == 2) {
      flow::make_edge(source, *middle.back());
    } else {
      flow::make_edge(*middle[middle.size() - 2], *middle.back());
    }
  }
  flow::function_node<std::int64_t> sink(graph, flow::serial, [&seen](std::int64_t stamp) { seen.arrived(stamp); });
  flow::make_edge(*middle.back(), sink);

  const stopwatch watch;
  source.activate();
  graph.wait_for_all();
  return watch.elapsed();
}

}  // namespace

int main(int argc, char** argv) { return latency_main(argc, argv, "tbb_flow", timed_latency); }
