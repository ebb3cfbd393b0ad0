// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/assign_groups.hpp"

#include "weir/graph/graph.hpp"

#include "networks.hpp"

namespace {

using namespace weir_test;
using weir::detail::selects;

TEST(selects, nodes_by_name_number_and_pattern) {
  EXPECT_TRUE(selects("read", "/read"));
  EXPECT_TRUE(selects("/read", "/read"));
  EXPECT_FALSE(selects("read", "/reader"));
  EXPECT_TRUE(selects("read*", "/reader"));
  EXPECT_TRUE(selects("split", "/split[3]"));
  EXPECT_TRUE(selects("split[3]", "/split[3]"));
  EXPECT_TRUE(selects("split[0-3]", "/split[3]"));
  EXPECT_FALSE(selects("split[0-2]", "/split[3]"));
  EXPECT_FALSE(selects("split[0]", "/split"));
  EXPECT_TRUE(selects("outer", "/outer[1]/inner[2]"));
  EXPECT_TRUE(selects("outer[1]", "/outer[1]/inner[2]"));
  EXPECT_TRUE(selects("outer/inner[2]", "/outer[1]/inner[2]"));
  EXPECT_FALSE(selects("outer[0]/inner[2]", "/outer[1]/inner[2]"));
  EXPECT_FALSE(selects("outer/inner/deep", "/outer/inner"));
  EXPECT_TRUE(selects("*", "/anything[7]/below"));
  for (const char* wrong : {"a[", "a[x]", "a[1-]", "a[2-1]", "a[1]b", "a[-1]", "a[99999999999999999999]"}) {
    EXPECT_THROW(selects(wrong, "/a"), weir::graph_error) << wrong;
  }
}

class assigning : public testing::Test {
 protected:
  assigning()
      : net(numbers(3).named("a").in_group("G1") | weir::farm(weir::node([](long i) { return i; }), 2).named("b") |
            into(seen).named("c")) {}
  std::string problem(const std::vector<weir::group_selection>& groups) {
    weir::graph g = net.resolve(2);
    for (const auto& wrong : {weir::detail::select_groups(g, groups), weir::detail::check_groups(g, groups)}) {
      if (!wrong.empty()) return wrong.front().what();
    }
    std::string assigned;
    for (const auto& node : std::as_const(g).nodes()) assigned += node.path + " " + node.traits.group + " ";
    return assigned;
  }
  std::vector<long> seen;
  weir::network net;
};

TEST_F(assigning, the_program_and_the_configuration_say_where_nodes_are) {
  EXPECT_EQ(problem({{"G1", {}}, {"G2", {"b[0]", "c"}}, {"G3", {"b[1]"}}}), "/a G1 /b[0] G2 /b[1] G3 /c G2 ");
  EXPECT_EQ(problem({{"G1", {"b", "c"}}, {"G2", {"a"}}}), "/a G2 /b[0] G1 /b[1] G1 /c G1 ");
}

TEST_F(assigning, those_side_by_side_are_put_into_groups_one_by_one) {
  const auto same = weir::node([](long i) { return i; });
  const auto by_number = [](std::size_t i) { return "G" + std::to_string(1 + i % 2); };
  net = numbers(3).named("a").in_group("G1") | weir::farm(same, 3).named("b").in_group(by_number) |
        weir::set(same, same.in_group("G1"), same | same).named("c").in_group(by_number) |
        into(seen).named("d").in_group("G2");
  EXPECT_EQ(problem({{"G1", {}}, {"G2", {}}}),
            "/a G1 /b[0] G1 /b[1] G2 /b[2] G1 /c[0] G1 /c[1] G1 /c[2]/node1 G1 /c[2]/node2 G1 /d G2 ");
}

TEST_F(assigning, a_pipeline_in_a_group_gives_no_names) {
  const auto same = weir::node([](long i) { return i; });
  net = (numbers(3).named("a") | same.named("b").in_group("G2")).in_group("G1") |
        (same.named("c") | into(seen).named("d")).named("p").in_group("G2");
  EXPECT_EQ(problem({{"G1", {}}, {"G2", {}}}), "/a G1 /b G2 /p/c G2 /p/d G2 ");
}

// The nodes that number the items and put them back in order are in the farm's block, but are not
// workers.
TEST_F(assigning, a_selection_selects_the_nodes_of_its_group_and_no_others) {
  const auto same = weir::node([](long i) { return i; });
  net = numbers(3).named("a") | weir::farm(same, 5).ordered().named("b") |
        weir::farm(weir::farm(same, 2).named("i"), 2).named("c") | into(seen).named("d");
  weir::graph g = net.resolve(2);
  using groups = std::vector<std::pair<std::string, std::vector<std::string>>>;
  for (const groups& wanted : std::vector<groups>{
           {{"G1", {"a", "b"}}, {"G2", {"c", "d"}}},
           {{"G1", {"a", "b[0-4]"}}, {"G2", {"b/number", "b/order", "c", "d"}}},
           {{"G1", {"a", "b[0-1]", "b[3]", "b/number"}},
            {"G2", {"b[2]", "b[4]", "b/order", "c[0]", "c[1]/i[1]"}},
            {"G3", {"c[1]/i[0]", "d"}}},
       }) {
    std::vector<weir::group_selection> selections;
    for (const auto& [group, nodes] : wanted) selections.push_back({group, nodes});
    const auto wrong = weir::detail::select_groups(g, selections);
    ASSERT_TRUE(wrong.empty()) << wrong.front().what();
    std::vector<std::string> before;
    for (const auto& node : std::as_const(g).nodes()) before.push_back(node.traits.group);
    for (auto& each : selections) each.nodes = weir::detail::selection_of(g, each.group);
    for (auto& node : g.nodes()) node.traits.group.clear();
    EXPECT_TRUE(weir::detail::select_groups(g, selections).empty());
    for (std::size_t i = 0; i != before.size(); ++i)
      EXPECT_EQ(std::as_const(g).nodes()[i].traits.group, before[i]) << i;
  }
  EXPECT_EQ(weir::detail::selection_of(g, "G1"), (std::vector<std::string>{"a", "b[0-1]", "b[3]", "b/number"}));
}

TEST_F(assigning, every_node_is_in_exactly_one_group) {
  EXPECT_EQ(problem({{"G1", {"b"}}}), "/c: is in no group; add it to one of G1");
  EXPECT_EQ(problem({{"G1", {"b", "c"}}, {"G2", {"b[1]"}}}), "/b[1]: is in two groups, G1 and G2; leave it in one");
  EXPECT_EQ(problem({{"G2", {"b", "c"}}}), "/a: is in the group G1, but there are only G2");
  EXPECT_EQ(problem({{"G1", {"b", "c"}}, {"G2", {"d"}}}),
            "d: is what group G2 asks for, but there is no such node; weir graph shows them");
  EXPECT_EQ(problem({{"G1", {"b", "c"}}, {"G2", {}}}), "G2: is a group without nodes");
}

}  // namespace
