// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include "weir/run/choose_tuning.hpp"

#include "weir/graph/graph.hpp"

#include "networks.hpp"

#include <chrono>
#include <map>

namespace {

using namespace weir_test;
using chains = std::vector<std::vector<std::string>>;

auto add(long step) {
  return weir::node([step](long item) { return item + step; });
}

// Makes the report of a run of one second on two cores, in which each node was busy for the given
// part of the time and had two million items.
weir::report measured(const weir::graph& g, const std::map<std::string, double>& busy) {
  weir::report r;
  r.wall = std::chrono::seconds(1);
  r.workers = 2;
  for (const auto& node : g.nodes()) {
    weir::node_report& made = r.nodes.emplace_back();
    made.path = node.path;
    made.items = made.sent = 2'000'000;
    made.busy = std::chrono::nanoseconds(static_cast<long>(1e9 * busy.at(node.path)));
  }
  for (const auto& c : g.channels()) r.channels.push_back({g.nodes()[c.from].path, g.nodes()[c.to].path, 1, 100, 0});
  return r;
}

TEST(choose_tuning, cuts_a_chain_of_light_nodes_into_as_many_pieces_as_there_are_cores) {
  std::vector<long> seen;
  weir::network net = numbers(1).named("read") | add(1).named("a") | add(1).named("b") | into(seen).named("keep");
  const weir::graph& g = net.resolve(2);
  const weir::tuning made =
      weir::choose_tuning(g, measured(g, {{"/read", 0.5}, {"/a", 0.45}, {"/b", 0.5}, {"/keep", 0.5}}), 2);
  EXPECT_EQ(made.fused, (chains{{"/read", "/a"}, {"/b", "/keep"}}));
  EXPECT_TRUE(made.widths.empty());
}

TEST(choose_tuning, leaves_the_node_that_limits_the_run_alone) {
  std::vector<long> seen;
  weir::network net = numbers(1).named("read") | add(1).named("a") | add(1).named("b") | into(seen).named("keep");
  const weir::graph& g = net.resolve(2);
  const weir::tuning made =
      weir::choose_tuning(g, measured(g, {{"/read", 0.2}, {"/a", 0.1}, {"/b", 0.98}, {"/keep", 0.2}}), 2);
  EXPECT_EQ(made.fused, (chains{{"/read", "/a"}}));
}

TEST(choose_tuning, does_not_fuse_heavy_neighbours) {
  std::vector<long> seen;
  weir::network net = numbers(1).named("read") | add(1).named("a") | add(1).named("b") | into(seen).named("keep");
  const weir::graph& g = net.resolve(2);
  weir::report heavy = measured(g, {{"/read", 0.04}, {"/a", 0.2}, {"/b", 0.2}, {"/keep", 0.04}});
  for (auto& node : heavy.nodes) node.items = node.sent = 100'000;
  EXPECT_TRUE(weir::choose_tuning(g, heavy, 2).fused.empty());
}

TEST(choose_tuning, gives_a_farm_the_width_that_its_work_needs) {
  std::vector<long> seen;
  weir::network net = numbers(1).named("read") | weir::farm(add(1), 4).between(1, 4).named("light") |
                      weir::farm(add(1), 1).between(1, 8).named("heavy") | into(seen).named("keep");
  const weir::graph& g = net.resolve(4);
  std::map<std::string, double> busy{{"/read", 0.2}, {"/heavy[0]", 1.0}, {"/keep", 0.2}};
  for (int i = 0; i != 4; ++i) busy["/light[" + std::to_string(i) + "]"] = 0.05;
  const weir::tuning made = weir::choose_tuning(g, measured(g, busy), 4);
  EXPECT_EQ(made.widths, (weir::detail::farm_widths{{"/heavy", 3}, {"/light", 1}}));
  EXPECT_TRUE(made.fused.empty());
}

TEST(choose_tuning, cuts_the_chains_of_equal_workers_alike) {
  std::vector<long> seen;
  weir::network net = numbers(1).named("read") | weir::farm(add(1).named("a") | add(1).named("b"), 2).named("f") |
                      into(seen).named("keep");
  const weir::graph& g = net.resolve(2);
  const weir::tuning made = weir::choose_tuning(
      g,
      measured(
          g, {{"/read", 0.2}, {"/keep", 0.2}, {"/f[0]/a", 0.3}, {"/f[0]/b", 0.3}, {"/f[1]/a", 0.1}, {"/f[1]/b", 0.1}}),
      2);
  EXPECT_EQ(made.fused, (chains{{"/f[0]/a", "/f[0]/b"}, {"/f[1]/a", "/f[1]/b"}}));
}

TEST(choose_tuning, gives_more_room_where_both_ends_wait_while_cores_are_idle) {
  std::vector<long> seen;
  weir::network net = numbers(1).named("read") | add(1).separate().named("a") | into(seen).named("keep");
  const weir::graph& g = net.resolve(2);
  weir::report r = measured(g, {{"/read", 0.5}, {"/a", 0.5}, {"/keep", 0.1}});
  r.nodes[0].waiting_room = std::chrono::milliseconds(400);
  r.nodes[1].waiting_input = std::chrono::milliseconds(400);
  EXPECT_EQ(weir::choose_tuning(g, r, 2).capacities, (std::vector<weir::tuning::capacity>{{"/read", "/a", 200}}));
  EXPECT_TRUE(weir::choose_tuning(g, r, 1).capacities.empty());
}

TEST(choose_tuning, changes_nothing_without_a_measurement) {
  std::vector<long> seen;
  weir::network net = numbers(1) | add(1) | into(seen);
  EXPECT_TRUE(weir::choose_tuning(net.resolve(2), weir::report{}, 2).empty());
}

}  // namespace
