// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The distribution of a graph over groups.

#include "weir/detail/passes/plan.hpp"

#include "weir/graph/graph.hpp"
#include "weir/patterns/map_reduce.hpp"

#include "networks.hpp"

#include <algorithm>
#include <map>
#include <memory>

namespace {

using namespace weir_test;

auto same() {
  return weir::node([](long item) { return item; });
}

class planning : public testing::Test {
 protected:
  // Makes the plan for a network, and checks the work and the cut that the plan reports.
  std::map<std::string, std::string> planned(weir::network net, const std::vector<weir::planned_group>& groups) {
    const weir::graph g = net.resolve(2);
    const weir::detail::graph_costs costs = weir::detail::estimated_costs(g);
    plan = weir::detail::plan_groups(g, costs, groups);
    std::map<std::string, std::string> made;
    double all = 0;
    double cut = 0;
    std::map<std::string, double> work;
    for (weir::node_id id = 0; id != g.nodes().size(); ++id) {
      made[g.nodes()[id].path] = plan.group_of[id];
      work[plan.group_of[id]] += costs.nodes[id];
    }
    for (weir::channel_id id = 0; id != g.channels().size(); ++id) {
      all += costs.channels[id];
      if (plan.group_of[g.channels()[id].from] != plan.group_of[g.channels()[id].to]) cut += costs.channels[id];
    }
    EXPECT_NEAR(plan.cut, cut / all, 1e-6);
    double sum = 0;
    for (const auto& [group, share] : work) sum += share;
    for (std::size_t i = 0; i != groups.size(); ++i) EXPECT_NEAR(plan.work[i], work[groups[i].name] / sum, 1e-6);
    return made;
  }

  std::vector<long> seen;
  weir::detail::group_plan plan;
};

TEST_F(planning, estimates_how_many_items_each_node_gets) {
  weir::network net = numbers(3).named("a") | weir::farm(same(), 4).named("b") |
                      weir::farm(same(), 2).broadcast().named("c") | into(seen).named("d");
  const weir::graph g = net.resolve(2);
  const weir::detail::graph_costs costs = weir::detail::estimated_costs(g);
  std::map<std::string, double> work;
  for (weir::node_id id = 0; id != g.nodes().size(); ++id) work[g.nodes()[id].path] = costs.nodes[id];
  EXPECT_DOUBLE_EQ(work["/a"], 1);
  EXPECT_DOUBLE_EQ(work["/b[3]"], 0.25);
  EXPECT_DOUBLE_EQ(work["/c[1]"], 1);
  EXPECT_DOUBLE_EQ(work["/d"], 2);
}

TEST_F(planning, half_of_what_goes_round_leaves) {
  const auto either = weir::node([](long, weir::outlet<long>&, weir::outlet<long>&) {});
  weir::network net = numbers(3).named("a") | weir::feedback(either).named("loop") | into(seen).named("d");
  const weir::graph g = net.resolve(2);
  const weir::detail::graph_costs costs = weir::detail::estimated_costs(g);
  EXPECT_NEAR(costs.nodes[1], 2, 1e-6);
  EXPECT_NEAR(costs.nodes[2], 1, 1e-6);
}

TEST_F(planning, a_pipeline_is_cut_once_for_two_groups) {
  const auto made =
      planned(numbers(3).named("a") | same().named("b") | same().named("c") | into(seen).named("d"), {{"G1"}, {"G2"}});
  EXPECT_EQ(made.at("/a"), made.at("/b"));
  EXPECT_EQ(made.at("/c"), made.at("/d"));
  EXPECT_NE(made.at("/a"), made.at("/d"));
  EXPECT_NEAR(plan.cut, 1.0 / 3, 1e-6);
}

TEST_F(planning, pipelines_beside_each_other_are_not_cut) {
  const auto worker = same() | same() | same();
  planned(numbers(3).named("a") | weir::farm(worker, 4).named("b") | into(seen).named("d"), {{"G1"}, {"G2"}});
  // Each of the four workers is in one group: only the channels from and to the farm cross, and
  // half of the items do.
  EXPECT_NEAR(plan.cut, 0.25, 1e-6);
  EXPECT_NEAR(plan.work[0], 0.5, 0.11);
}

TEST_F(planning, work_is_shared_out_by_cores) {
  planned(numbers(3).named("a") | weir::farm(same(), 30).named("b") | into(seen).named("d"), {{"G1", 1}, {"G2", 3}});
  EXPECT_LT(plan.work[0], 0.45);
  EXPECT_GT(plan.work[1], 0.55);
}

TEST_F(planning, what_the_program_says_stays) {
  const auto made =
      planned(numbers(3).named("a").in_group("G2") | same().named("b") | same().named("c") | into(seen).named("d"),
              {{"G1"}, {"G2"}});
  EXPECT_EQ(made.at("/a"), "G2");
  EXPECT_EQ(made.at("/d"), "G1");
}

TEST_F(planning, what_is_broadcast_crosses_once) {
  weir::network net = numbers(3).named("a").in_group("G1") |
                      weir::farm(same(), 3).broadcast().named("b").in_group("G2") |
                      weir::farm(weir::sink([](long) {}), 2).named("c").in_group("G2");
  const weir::graph g = net.resolve(2);
  const weir::detail::group_plan made =
      weir::detail::plan_groups(g, weir::detail::estimated_costs(g), {{"G1"}, {"G2"}});
  EXPECT_NEAR(made.cut, 1.0 / 6, 1e-6);
}

TEST_F(planning, a_map_reduce_is_spread_evenly) {
  const auto map = [](long item, weir::pair_outlet<long, long>& pairs) { pairs.send(item % 10, 1); };
  const auto add = [](long& total, long more) { total += more; };
  for (const std::size_t count : {2U, 3U, 4U}) {
    std::vector<weir::planned_group> groups;
    for (std::size_t i = 0; i != count; ++i) groups.push_back({"G" + std::to_string(i)});
    const auto made = planned(numbers(3).named("a") | weir::map_reduce(map, add, 12, 12) |
                                  weir::sink([](const std::pair<long, long>&) {}).named("d"),
                              groups);
    std::map<std::string, std::pair<std::size_t, std::size_t>> in;
    for (const auto& [path, group] : made) {
      in[group].first += path.starts_with("/map") ? 1 : 0;
      in[group].second += path.starts_with("/reduce") ? 1 : 0;
    }
    ASSERT_EQ(in.size(), count);
    for (const auto& [group, nodes] : in) EXPECT_EQ(nodes, std::pair(12 / count, 12 / count)) << group;
  }
  // The plan divides the work by cores, and leaves no group empty.
  const auto by_cores = planned(numbers(3).named("a") | weir::map_reduce(map, add, 8, 8) |
                                    weir::sink([](const std::pair<long, long>&) {}).named("d"),
                                {{"G1", 1}, {"G2", 3}});
  EXPECT_EQ(
      std::ranges::count_if(by_cores, [](const auto& each) { return each.second == "G1" && each.first[1] == 'm'; }), 2);
  planned(numbers(3).named("a") | weir::map_reduce(map, add, 1, 3) |
              weir::sink([](const std::pair<long, long>&) {}).named("d"),
          {{"G1"}, {"G2"}, {"G3"}, {"G4"}, {"G5"}, {"G6"}});
}

TEST_F(planning, items_without_a_codec_stay_in_one_group) {
  const auto made =
      planned(numbers(3).named("a") | weir::node([](long i) { return std::make_unique<long>(i); }).named("b") |
                  weir::node([](std::unique_ptr<long> i) { return *i; }).named("c") | into(seen).named("d"),
              {{"G1"}, {"G2"}, {"G3"}});
  EXPECT_EQ(made.at("/b"), made.at("/c"));
  EXPECT_THROW(planned(numbers(3) | into(seen), {{"G1"}, {"G2"}, {"G3"}}), weir::graph_error);
}

TEST_F(planning, equal_groups_come_in_the_order_of_their_nodes) {
  for (const std::size_t width : {1U, 2U, 3U, 4U}) {
    for (const auto& ordered : {false, true}) {
      const auto farm = weir::farm(same(), width).named("b");
      const auto made = planned(numbers(3).named("a") | (ordered ? farm.ordered() : farm) | into(seen).named("d"),
                                {{"G1"}, {"G2"}, {"G3"}});
      EXPECT_EQ(made.at("/a"), "G1") << width;
    }
  }
  // This does not hold if the program has put a node into one of the groups.
  EXPECT_EQ(planned(numbers(3).named("a") | same().named("b") | into(seen).named("d").in_group("G1"), {{"G1"}, {"G2"}})
                .at("/a"),
            "G2");
}

TEST_F(planning, every_group_gets_a_node) {
  for (const std::size_t count : {1U, 2U, 5U, 8U, 16U}) {
    std::vector<weir::planned_group> groups;
    for (std::size_t i = 0; i != count; ++i) groups.push_back({"G" + std::to_string(i)});
    const auto made =
        planned(numbers(3).named("a") | weir::farm(same(), 8).named("b") |
                    weir::farm(same(), 8).by_key([](long i) { return i; }).named("c") | into(seen).named("d"),
                groups);
    for (const auto& group : groups) {
      EXPECT_TRUE(std::ranges::any_of(made, [&](const auto& each) { return each.second == group.name; })) << group.name;
    }
  }
}

}  // namespace
