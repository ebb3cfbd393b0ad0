// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Which loop asks which head, and which channels must be closed before a loop can end.

#include "weir/detail/passes/plan_loops.hpp"

#include "weir/blocks/describe.hpp"
#include "weir/weir.hpp"

#include "networks.hpp"

#include <optional>
#include <string>
#include <vector>

namespace {

using namespace weir_test;

// source -> outer head -> inner head -> worker; from there back to the inner head, and to the outer
// one.
class nested_loops : public testing::Test {
 protected:
  weir::node_id add(const char* name) {
    return g.add(weir::describe(weir::node([](long item) { return item; }).named(name)));
  }

  weir::graph g;
  weir::node_id source = g.add(weir::describe(numbers(1)));
  weir::node_id outer_head = add("outer");
  weir::node_id inner_head = add("inner");
  weir::node_id worker = add("worker");
  weir::loop_id inner = g.add_loop({.path = "/inner", .members = {inner_head, worker}});
  weir::loop_id outer = g.add_loop({.path = "/outer", .members = {outer_head, inner_head, worker}});
  weir::channel_id into_outer = g.connect(source, 0, outer_head, 0);
  weir::channel_id into_inner = g.connect(outer_head, 0, inner_head, 0);
  weir::channel_id forth = g.connect(inner_head, 0, worker, 0);
  weir::channel_id back_inside = g.connect_back(worker, 0, inner_head, 0, inner);
  weir::channel_id back_outside = g.connect_back(worker, 0, outer_head, 0, outer);
};

std::vector<weir::channel_id> entering(const weir::detail::loop_plan& plan) {
  std::vector<weir::channel_id> made;
  for (const auto& each : plan.channels) {
    if (each.enters) made.push_back(each.channel);
  }
  return made;
}

TEST_F(nested_loops, the_outer_one_asks_all_heads) {
  const auto plans = weir::detail::plan_loops(g, false);
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[inner].heads, std::vector{inner_head});
  EXPECT_EQ(plans[outer].heads, std::vector{outer_head});
  EXPECT_TRUE(plans[inner].asked.empty());
  EXPECT_EQ(plans[outer].asked, (std::vector{inner_head, outer_head}));
  for (const auto& each : plans[outer].members) {
    ASSERT_EQ(each.asked.has_value(), each.node != worker);
    if (each.asked) {
      EXPECT_EQ(plans[outer].asked[*each.asked], each.node);
    }
  }
}

TEST_F(nested_loops, the_inner_one_is_entered_from_the_outer_one) {
  const auto plans = weir::detail::plan_loops(g, false);
  EXPECT_EQ(entering(plans[inner]), std::vector{into_inner});
  EXPECT_EQ(entering(plans[outer]), std::vector{into_outer});
  EXPECT_EQ(plans[inner].channels.size(), 3U);
  EXPECT_EQ(plans[outer].channels.size(), 5U);
}

// In a group, nodes without a number in the whole stand for other groups.
TEST_F(nested_loops, of_a_part_leave_out_what_stands_for_other_groups) {
  for (const weir::node_id here : {source, outer_head, worker}) g.nodes()[here].in_whole = here;
  const auto plans = weir::detail::plan_loops(g, true);
  EXPECT_TRUE(plans[inner].heads.empty());
  EXPECT_EQ(plans[outer].asked, std::vector{outer_head});
  EXPECT_EQ(plans[outer].members.size(), 3U) << "it takes items here, so it is watched";
}

}  // namespace
