// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../harness.hpp"

#include <oneapi/tbb/flow_graph.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

using namespace weir_bench;
namespace flow = oneapi::tbb::flow;

namespace {

// Each source sends to the serial sink that a hash of the item selects. Sinks queue without a
// limit.
duration timed_all_to_all(std::size_t width, std::int64_t items) {
  const std::int64_t share = items / static_cast<std::int64_t>(width);
  flow::graph graph;
  std::vector<std::int64_t> sums(width * 16);  // a cache line or two apart
  std::vector<std::unique_ptr<flow::function_node<std::int64_t>>> sinks;
  for (std::size_t i = 0; i != width; ++i) {
    sinks.push_back(std::make_unique<flow::function_node<std::int64_t>>(
        graph, flow::serial, [sum = &sums[i * 16]](std::int64_t item) { *sum += item; }));
  }
  std::vector<std::unique_ptr<flow::input_node<std::int64_t>>> sources;
  std::vector<std::unique_ptr<flow::function_node<std::int64_t>>> routers;
  for (std::size_t i = 0; i != width; ++i) {
    sources.push_back(std::make_unique<flow::input_node<std::int64_t>>(
        graph, [made = std::int64_t{0}, share](oneapi::tbb::flow_control& end) mutable -> std::int64_t {
          if (made == share) {
            end.stop();
            return 0;
          }
          return made++;
        }));
    routers.push_back(
        std::make_unique<flow::function_node<std::int64_t>>(graph, flow::serial, [&sinks, width](std::int64_t item) {
          const std::uint64_t mixed = static_cast<std::uint64_t>(item) * 0x9E3779B97F4A7C15U;
          sinks[((mixed >> 32) * width) >> 32]->try_put(item);
        }));
    flow::make_edge(*sources.back(), *routers.back());
  }
  const stopwatch watch;
  for (const auto& source : sources) source->activate();
  graph.wait_for_all();
  const duration took = watch.elapsed();
  std::int64_t total = 0;
  for (const std::int64_t sum : sums) total += sum;
  verify("sum", total, static_cast<std::int64_t>(width) * (share * (share - 1) / 2));
  return took;
}

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 400'000}, {"workers", 4}});
  const auto width = static_cast<std::size_t>(given["workers"]);
  timed_all_to_all(width, given["items"] / 10);
  const duration took = timed_all_to_all(width, given["items"]);
  print_result("all_to_all", "tbb_flow", given["items"], took);
}
