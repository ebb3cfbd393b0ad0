// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The cores on which nodes are placed, on machines that hwloc simulates and on this one.

#include "weir/detail/passes/place.hpp"

#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/passes/processors.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/graph.hpp"

#include "needs.hpp"
#include "networks.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

namespace {

using namespace weir_test;

// During its lifetime, hwloc sees the described machine.
class machine {
 public:
  explicit machine(const char* description) { setenv("HWLOC_SYNTHETIC", description, 1); }
  ~machine() { unsetenv("HWLOC_SYNTHETIC"); }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
};

std::vector<int> from_0_to(int end) {
  std::vector<int> all(static_cast<std::size_t>(end));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Returns the cores of a pipeline of `nodes` nodes, in the order of the nodes.
std::vector<int> cores_of_pipeline(std::size_t nodes) {
  weir::block<long, long> row = weir::node([](long item) { return item; });
  for (std::size_t i = 3; i < nodes; ++i) row = row | weir::node([](long item) { return item; });
  weir::network net = numbers(1) | row | weir::sink([](long) {});
  weir::graph& g = net.resolve(1);
  weir::detail::place(g);
  std::vector<int> cores;
  for (const auto& node : g.nodes()) cores.push_back(node.core);
  return cores;
}

TEST(place, gives_each_node_a_core_of_its_own_and_neighbours_the_same_package) {
  WEIR_NEEDS(hwloc)
  const machine two_packages("pack:2 l2:2 core:2 pu:1");
  EXPECT_EQ(cores_of_pipeline(3), from_0_to(3));
  EXPECT_EQ(cores_of_pipeline(8), from_0_to(8));
}

// Linux numbers the first hardware threads of all cores first; hwloc numbers core by core.
TEST(place, uses_the_operating_systems_numbers) {
  WEIR_NEEDS(hwloc)
  const machine interleaved("pack:2 core:2 pu:1(indexes=0,2,1,3)");
  EXPECT_EQ(cores_of_pipeline(4), (std::vector<int>{0, 2, 1, 3}));
}

TEST(place, shares_a_core_only_when_all_are_taken) {
  WEIR_NEEDS(hwloc)
  const machine two_threads_a_core("pack:1 core:4 pu:2");
  EXPECT_EQ(cores_of_pipeline(4), (std::vector<int>{0, 2, 4, 6}));
  const std::vector<int> all = cores_of_pipeline(8);
  EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), 8U);
  EXPECT_EQ(weir::detail::choose_processors(3), (std::vector<int>{0, 2, 4}));
}

TEST(place, leaves_the_graph_alone_where_nodes_outnumber_the_processors) {
  WEIR_NEEDS(hwloc)
  const machine small("pack:1 core:4 pu:1");
  EXPECT_EQ(cores_of_pipeline(5), std::vector<int>(5, -1));
  EXPECT_EQ(weir::detail::choose_processors(9), from_0_to(4));
}

TEST(place, chooses_only_processors_that_this_process_may_use) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  const std::vector<int> all = weir::detail::choose_processors(1024);
  EXPECT_EQ(all.size(), weir::available_cores());
  for (const int each : all) {
    EXPECT_TRUE(CPU_ISSET(each, &before)) << each;
    // If the process may use one processor only, the placement chooses that one.
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(each, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(weir::detail::choose_processors(1024), std::vector<int>{each});
    ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  }
}

// ---- effect on a run ----

// A network of one node, which returns the number of processors that its thread may use.
class alone {
 public:
  alone() : net_(graph_of_one()) {}
  std::size_t processors(weir::pinning pin) {
    weir::run(net_, {.executor = weir::executor::threads, .pin = pin});
    return dynamic_cast<looking&>(net_.instance(0)).seen;
  }

 private:
  struct looking final : weir::detail::behaviour {
    std::size_t seen = 0;
    weir::detail::progress step(weir::detail::ports&, std::size_t) override {
      seen = weir::available_cores();
      return weir::detail::progress::ended;
    }
  };
  static weir::graph graph_of_one() {
    weir::graph g;
    weir::node_description only;
    only.kind = "only";
    only.make = [] { return std::make_unique<looking>(); };
    g.add(std::move(only));
    return g;
  }
  weir::network net_;
};

TEST(pinning, holds_for_the_run_that_asks_for_it_only) {
  alone node;
  EXPECT_EQ(node.processors(weir::pinning::off), weir::available_cores());
  EXPECT_EQ(node.processors(weir::pinning::on), 1U);
  EXPECT_EQ(node.processors(weir::pinning::off), weir::available_cores());
}

// Runs in a process of its own, because the threads of the shared pool keep the processors of the
// process at their first run.
TEST(pinning_deathtest, leaves_threads_on_the_processors_of_the_process) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto confined = [] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(weir::detail::choose_processors(1).at(0), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) std::_Exit(2);
    alone node;
    bool wandered = false;
    for (int i = 0; i != 50; ++i) {  // until the run uses a thread that was pinned
      node.processors(weir::pinning::on);
      wandered = wandered || node.processors(weir::pinning::off) != 1;
    }
    std::_Exit(wandered ? 1 : 0);
  };
  EXPECT_EXIT(confined(), testing::ExitedWithCode(0), "");
}

}  // namespace
