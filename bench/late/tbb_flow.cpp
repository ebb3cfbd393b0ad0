// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <oneapi/tbb/flow_graph.h>

#include <tuple>

using namespace weir_bench;
namespace flow = oneapi::tbb::flow;

namespace {

duration timed_late(std::int64_t items, const late_calls& calls, late_samples& seen) {
  using producer = flow::multifunction_node<std::int64_t, std::tuple<std::int64_t>>;
  flow::graph graph;
  flow::input_node<std::int64_t> source(graph, [made = std::int64_t{0}, items](oneapi::tbb::flow_control& end) mutable {
    if (made == items) {
      end.stop();
      return std::int64_t{0};
    }
    return made++;
  });
  producer middle(graph, flow::serial,
                  [calls = late_calls(calls)](std::int64_t, producer::output_ports_type& out) mutable {
                    calls([&](std::int64_t stamp) { std::get<0>(out).try_put(stamp); });
                  });
  flow::function_node<std::int64_t> sink(graph, flow::serial, [&seen](std::int64_t stamp) { seen.arrived(stamp); });
  flow::make_edge(source, middle);
  flow::make_edge(flow::output_port<0>(middle), sink);

  const stopwatch watch;
  source.activate();
  graph.wait_for_all();
  return watch.elapsed();
}

}  // namespace

int main(int argc, char** argv) { return late_main(argc, argv, "tbb_flow", timed_late); }
