// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/blocks/describe.hpp>
#include <weir/graph/graph.hpp>

#include "../weir_parts.hpp"

#include <random>
#include <vector>

using namespace weir_bench;

namespace {

// Nodes in layers of 1 to 39. Each node sends to one to three nodes of the next layer or, seldom,
// of the one after it, and every node has a producer. Each item takes one path, and each node on
// the path adds 1.
weir::graph random_graph(std::int64_t nodes, std::int64_t items, std::int64_t* count, std::int64_t* sum,
                         std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  weir::graph made;
  const auto add = [&](const auto& node) { return made.add(weir::describe(node)); };

  std::vector<std::vector<weir::node_id>> layers;
  layers.push_back({add(weir::source(counting_source{items}))});
  for (std::int64_t left = nodes - 2; left > 0;) {
    const std::int64_t width = std::min<std::int64_t>(left, 1 + static_cast<std::int64_t>(below(39)));
    std::vector<weir::node_id>& layer = layers.emplace_back();
    for (std::int64_t i = 0; i != width; ++i) {
      layer.push_back(add(weir::node(adder{})));
    }
    left -= width;
  }
  layers.push_back({add(weir::sink(adding_sink{count, sum}))});

  for (std::size_t i = 0; i + 1 != layers.size(); ++i) {
    for (const weir::node_id to : layers[i + 1]) made.connect(layers[i][below(layers[i].size())], 0, to, 0);
    for (const weir::node_id from : layers[i]) {
      const bool connected =
          made.nodes()[from].out[0].policy.is_leaf() || !made.nodes()[from].out[0].policy.children.empty();
      for (std::size_t more = below(3) + (connected ? 0 : 1); more != 0; --more) {
        const std::size_t ahead = i + 2 < layers.size() && below(8) == 0 ? 2 : 1;
        made.connect(from, 0, layers[i + ahead][below(layers[i + ahead].size())], 0);
      }
    }
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 5'000'000}, {"nodes", 1000}, {"seed", 1}});
  const std::int64_t items = given["items"];
  const std::int64_t nodes = given["nodes"];

  std::int64_t hops = 0;
  const auto timed_graph = [&](std::int64_t many) {
    std::int64_t count = 0;
    hops = 0;
    const duration took = timed_run(
        weir::network(random_graph(nodes, many, &count, &hops, static_cast<std::uint32_t>(given["seed"]))), {});
    verify("count", count, many);
    hops += many - many * (many - 1) / 2;  // adds the sink's own hops, and subtracts the values of the source
    return took;
  };
  timed_graph(items / 10);
  const duration took = timed_graph(items);

  const std::int64_t pipeline_items = hops / 63;
  timed_pipeline(64, pipeline_items / 10, 0, {});
  const duration straight = timed_pipeline(64, pipeline_items, 0, {});

  const double here = static_cast<double>(took.cpu_ns) / static_cast<double>(hops);
  const double there = static_cast<double>(straight.cpu_ns) / static_cast<double>(pipeline_items * 63);
  print_result("random_graph", "weir", items, took,
               {{"hops_per_item", static_cast<double>(hops) / static_cast<double>(items)},
                {"cpu_ns_per_hop", here},
                {"pipe64_cpu_ns_per_hop", there},
                {"ratio", here / there}});
}
