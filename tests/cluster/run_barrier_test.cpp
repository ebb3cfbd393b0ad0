// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// When all groups of a cluster begin a run, and when they are done with it.

#include "cluster/coordinator/run_barrier.hpp"

#include "cluster/wire/frame.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace weir::cluster;
using kind = run_barrier::next::kind;

to_coordinator::ready ready_for(std::uint32_t run, const std::string& network = "n", const std::string& trace = "",
                                const std::vector<weir::loop_id>& loops = {}) {
  return {.run = run, .fingerprint = network, .result_group = "A", .trace = trace, .loops = loops};
}

// Two groups that have begun run 1.
run_barrier in_run_one() {
  run_barrier made({"A", "B"});
  made.ready(0, ready_for(1, "n", "a.json", {2}));
  made.ready(1, ready_for(1, "n", "b.json", {2, 3}));
  EXPECT_EQ(made.begin_if_ready().what, kind::begin);
  return made;
}

TEST(run_barrier, begins_once_when_all_are_ready) {
  run_barrier barrier({"A", "B"});
  EXPECT_EQ(barrier.begin_if_ready().what, kind::none);
  barrier.ready(0, ready_for(1));
  EXPECT_EQ(barrier.begin_if_ready().what, kind::none);
  EXPECT_TRUE(barrier.is_in_run(0));
  EXPECT_FALSE(barrier.is_in_run(1));
  barrier.ready(1, ready_for(1));
  EXPECT_EQ(barrier.begin_if_ready().what, kind::begin);
  EXPECT_EQ(barrier.run(), 1U);
  EXPECT_EQ(barrier.begin_if_ready().what, kind::none);
}

TEST(run_barrier, knows_loops_by_group_and_prefers_the_trace_of_the_result_group) {
  const run_barrier barrier = in_run_one();
  const auto loops = barrier.loops();
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(loops.at(2), (std::set<std::string>{"A", "B"}));
  EXPECT_EQ(loops.at(3), std::set<std::string>{"B"});
  EXPECT_EQ(barrier.trace_file("A"), "a.json");
  EXPECT_EQ(barrier.trace_file("B"), "b.json");
}

TEST(run_barrier, ends_when_all_are_done) {
  run_barrier barrier = in_run_one();
  barrier.check_end(0, to_coordinator::done{{1}});
  barrier.done(0);
  EXPECT_FALSE(barrier.all_are_done());
  EXPECT_THROW(barrier.check_end(0, to_coordinator::done{{1}}), protocol_error) << "it is done";
  EXPECT_THROW(barrier.check_end(1, to_coordinator::done{{2}}), protocol_error) << "that has not begun";
  barrier.done(1);
  EXPECT_TRUE(barrier.all_are_done());
}

TEST(run_barrier, refuses_a_group_that_is_ready_in_the_middle_of_a_run) {
  run_barrier barrier = in_run_one();
  EXPECT_THROW(barrier.ready(0, ready_for(2)), protocol_error);
  barrier.done(0);
  EXPECT_THROW(barrier.ready(0, ready_for(1)), protocol_error) << "that run was before";
  barrier.ready(0, ready_for(2));
}

TEST(run_barrier, notices_a_group_that_has_left) {
  run_barrier barrier = in_run_one();
  barrier.done(0);
  barrier.done(1);
  barrier.left(1);
  EXPECT_EQ(barrier.begin_if_ready().what, kind::none) << "nobody begins another run";
  barrier.ready(0, ready_for(2));
  const run_barrier::next next = barrier.begin_if_ready();
  EXPECT_EQ(next.what, kind::one_has_left);
  EXPECT_EQ(next.group, 1U);
  EXPECT_EQ(next.run, 2U);
}

TEST(run_barrier, notices_another_network) {
  run_barrier barrier({"A", "B"});
  barrier.ready(0, ready_for(1));
  barrier.ready(1, ready_for(1, "m"));
  const run_barrier::next next = barrier.begin_if_ready();
  EXPECT_EQ(next.what, kind::networks_differ);
  EXPECT_EQ(next.group, 1U);
  EXPECT_EQ(barrier.run(), 0U);
}

}  // namespace
