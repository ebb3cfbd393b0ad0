// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// optimize_static: the graph before and after each change, and the result of the stream.

#include "graphs.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ff;
using namespace ff_test;

namespace {

OptLevel only(bool OptLevel::*option) {
  OptLevel level;
  level.*option = true;
  return level;
}

}  // namespace

TEST(optimize_static, removes_a_collector_before_a_node) {
  numbers source(1000);
  ff_Farm<long> farm(owned<increment>(3));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(graph_of(pipe), "1 collector, 1 emitter, 3 increment, 1 numbers, 1 sum_up, 8 channels");
  EXPECT_EQ(optimize_static(pipe, only(&OptLevel::remove_collector)), 0);
  EXPECT_EQ(graph_of(pipe), "1 emitter, 3 increment, 1 internal_mi_transformer, 1 numbers, 7 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(1000) + 1000);
  EXPECT_EQ(sink.ends, 1);  // as before
  EXPECT_EQ(sink.last_end, -1);
}

TEST(optimize_static, keeps_the_collectors_that_are_needed) {
  numbers source(10);
  ff_Farm<long> last(owned<increment>(2));
  ff_Pipe<> pipe(source, last);
  const std::string before = graph_of(pipe);
  EXPECT_EQ(optimize_static(pipe, only(&OptLevel::remove_collector)), 0);
  EXPECT_EQ(graph_of(pipe), before);

  same_from_several own;
  ff_farm farm(raw<increment>(2), nullptr, &own);
  farm.cleanup_workers();
  sum_up sink;
  ff_Pipe<> with_own(source, farm, sink);
  EXPECT_EQ(optimize_static(with_own, OptLevel1()), 0);
  EXPECT_EQ(farm.getCollector(), &own);
}

TEST(optimize_static, leaves_loops_as_they_are) {
  same before;
  ff_farm loop(raw<same>(2));
  loop.cleanup_workers();
  loop.wrap_around();
  ff_farm after(raw<same>(2));
  after.cleanup_workers();
  ff_Pipe<> pipe(before, loop, after);
  pipe.wrap_around();
  const std::string graph = graph_of(pipe);
  OptLevel level = OptLevel2();
  level.introduce_a2a = true;
  EXPECT_EQ(optimize_static(pipe, level), 0);
  EXPECT_EQ(graph_of(pipe), graph);
}

TEST(optimize_static, removes_all_collectors_at_the_end_of_nested_farms) {
  numbers source(300);
  std::vector<std::unique_ptr<ff_node>> inner;
  for (int i = 0; i != 3; ++i) inner.push_back(std::make_unique<ff_Farm<long>>(owned<increment>(2)));
  ff_Farm<long> farm(std::move(inner));
  sum_all sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(graph_of(pipe), "4 collector, 4 emitter, 6 increment, 1 numbers, 1 sum_all, 20 channels");
  OptLevel level = only(&OptLevel::remove_collector);
  level.merge_with_emitter = true;
  EXPECT_EQ(optimize_static(pipe, level), 0);
  EXPECT_EQ(graph_of(pipe), "3 emitter, 6 increment, 1 numbers, 1 sum_all, 15 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(300) + 300);
}

TEST(optimize_static, makes_the_next_node_the_collector_of_an_ordered_farm) {
  numbers source(1000);
  ff_OFarm<long> farm(owned<same>(4));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  farm.set_scheduling_ondemand();
  OptLevel level = only(&OptLevel::remove_collector);
  level.merge_with_emitter = true;
  EXPECT_EQ(optimize_static(pipe, level), 0);
  EXPECT_EQ(graph_of(pipe), "1 internal_mi_transformer, 1 numbers, 4 same, 9 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 1000);
  EXPECT_TRUE(sink.in_order);
  EXPECT_EQ(sink.ends, 1);
}

TEST(optimize_static, makes_the_node_before_a_farm_its_emitter) {
  numbers source(100);
  ff_Farm<long> farm(owned<increment>(3));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(optimize_static(pipe, only(&OptLevel::merge_with_emitter)), 0);
  EXPECT_EQ(graph_of(pipe), "1 collector, 3 increment, 1 numbers, 1 sum_up, 7 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(100) + 100);
}

TEST(optimize_static, makes_the_collector_before_a_farm_its_emitter) {
  numbers source(100);
  twice between;
  ff_farm first(raw<increment>(2), nullptr, &between);
  ff_farm second(raw<same>(3));
  first.cleanup_workers();
  second.cleanup_workers();
  sum_up sink;
  ff_Pipe<> pipe(source, first, second, sink);
  OptLevel level = only(&OptLevel::merge_with_emitter);
  EXPECT_EQ(graph_of(pipe), "1 collector, 2 emitter, 2 increment, 1 numbers, 3 same, 1 sum_up, 1 twice, 13 channels");
  EXPECT_EQ(optimize_static(pipe, level), 0);
  EXPECT_EQ(graph_of(pipe), "1 collector, 2 increment, 1 numbers, 3 same, 1 sum_up, 1 twice, 11 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * (sum_below(100) + 100));
}

TEST(optimize_static, merges_farms_with_equally_many_workers) {
  numbers source(100);
  ff_Farm<long> one(owned<increment>(3));
  ff_Farm<long> two(owned<twice>(3));
  ff_Farm<long> three(owned<increment>(3));
  ff_Farm<long> four(owned<same>(2));
  sum_up sink;
  ff_Pipe<> inner(one, two);  // its stages count as those of the whole
  ff_Pipe<> pipe(source, inner, three, four, sink);
  EXPECT_EQ(optimize_static(pipe, only(&OptLevel::merge_farms)), 0);
  EXPECT_EQ(graph_of(pipe),
            "2 collector, 2 emitter, 3 increment+twice+increment, 1 numbers, 2 same, 1 sum_up, 13 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * (sum_below(100) + 100) + 100);
}

TEST(optimize_static, merges_ordered_farms_and_keeps_the_order) {
  numbers source(1000);
  ff_OFarm<long> one(owned<same>(3));
  ff_OFarm<long> two(owned<same>(3));
  ff_Farm<long> unordered(owned<same>(3));
  sum_up sink;
  ff_Pipe<> pipe(source, one, two, sink);
  EXPECT_EQ(optimize_static(pipe, only(&OptLevel::merge_farms)), 0);
  EXPECT_EQ(graph_of(pipe), "1 collector, 1 emitter, 1 numbers, 3 same+same, 1 sum_up, 9 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 1000);
  EXPECT_TRUE(sink.in_order);

  ff_Farm<long> other(owned<same>(3));
  ff_OFarm<long> ordered(owned<same>(3));
  ff_Pipe<> mixed(source, other, ordered, sink);
  const std::string before = graph_of(mixed);
  EXPECT_EQ(optimize_static(mixed, only(&OptLevel::merge_farms)), 0);
  EXPECT_EQ(graph_of(mixed), before);
}

TEST(optimize_static, makes_two_farms_an_all_to_all) {
  numbers source(100);
  ff_Farm<long> one(owned<increment>(2));
  ff_Farm<long> two(owned<twice>(3));
  sum_up sink;
  ff_Pipe<> pipe(source, one, two, sink);
  EXPECT_EQ(optimize_static(pipe, only(&OptLevel::introduce_a2a)), 0);
  EXPECT_EQ(graph_of(pipe), "1 collector, 1 emitter, 2 increment, 1 numbers, 1 sum_up, 3 twice, 13 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * (sum_below(100) + 100));
}

TEST(optimize_static, makes_all_changes_together) {
  numbers source(500);
  ff_Farm<long> farm1(owned<increment>(3));
  ff_Farm<long> farm2(owned<increment>(3));
  ff_Farm<long> farm3(owned<increment>(3));
  ff_Farm<long> farm4(owned<increment>(2));
  ff_Farm<long> farm5(owned<increment>(2));
  sum_up sink;
  ff_Pipe<> pipe(source, farm1, farm2, farm3, farm4, farm5, sink);
  EXPECT_EQ(pipe.cardinality(), 25);
  OptLevel level = OptLevel2();
  level.introduce_a2a = true;
  EXPECT_EQ(optimize_static(pipe, level), 0);
  EXPECT_EQ(
      graph_of(pipe),
      "2 increment+increment, 3 increment+increment+increment, 1 internal_mi_transformer, 1 numbers, 11 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(500) + 5 * 500);
  EXPECT_EQ(sink.ends, 1);
}

TEST(optimize_static, changes_the_pipelines_in_farms) {
  numbers source(200);
  std::vector<std::unique_ptr<ff_node>> workers;
  for (int i = 0; i != 2; ++i) {
    workers.push_back(std::make_unique<ff_Pipe<long>>(std::make_unique<ff_Farm<long>>(owned<increment>(2)),
                                                      std::make_unique<ff_Farm<long>>(owned<twice>(3))));
  }
  ff_Farm<long> farm(std::move(workers));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(pipe.cardinality(), 22);
  OptLevel level = OptLevel2();
  level.introduce_a2a = true;
  EXPECT_EQ(optimize_static(farm, level), 0);
  EXPECT_EQ(graph_of(pipe), "1 collector, 3 emitter, 4 increment, 1 numbers, 1 sum_up, 6 twice, 26 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * (sum_below(200) + 200));
}

// FastFlow's test_optimize5 counts the nodes of such a network.
TEST(optimize_static, reaches_all_collectors_of_a_nested_network) {
  struct stage : ff_pipeline {
    stage() {
      farm1.add_workers(raw<same>(2));
      farm1.add_collector(nullptr);
      first.add_firstset(raw<same>(2), 0, true);
      farm2.add_workers(raw<same>(2));
      farm2.add_collector(nullptr);
      inner.add_stage(&farm2);
      first.add_secondset(std::vector<ff_node*>{&inner});
      around.add_workers({&first});
      around.add_collector(nullptr);
      farm1.cleanup_workers();
      farm2.cleanup_workers();
      add_stage(&farm1);
      add_stage(&around);
    }
    ff_farm farm1, farm2, around;
    ff_a2a first;
    ff_pipeline inner;
  };
  numbers source(10);
  sum_all sink;
  ff_farm farm;
  farm.add_workers(raw<stage>(3));
  farm.add_collector(nullptr);
  farm.cleanup_workers();
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(pipe.cardinality(), 40);
  EXPECT_EQ(optimize_static(pipe, only(&OptLevel::remove_collector)), 0);
  EXPECT_EQ(pipe.cardinality(), 30);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(10));
}

TEST(optimize_static, is_refused_after_a_run) {
  numbers source(10);
  sum_up sink;
  ff_Pipe<> pipe(source, sink);
  EXPECT_EQ(optimize_static(pipe), 0);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(optimize_static(pipe), -1);
  ff_Farm<long> farm(owned<same>(2), true);
  EXPECT_EQ(optimize_static(farm, OptLevel2()), 0);
}

TEST(optimize_static, frees_each_node_once) {
  auto* const inner = new ff_pipeline;
  inner->add_stage(new increment);
  inner->add_stage(new twice);
  inner->cleanup_nodes();
  auto* const farm = new ff_farm(raw<increment>(2));
  farm->cleanup_workers();
  ff_pipeline pipe;
  auto* const sink = new sum_up;
  for (ff_node* const each : std::vector<ff_node*>{new numbers(50), inner, farm, sink}) pipe.add_stage(each);
  pipe.cleanup_nodes();
  EXPECT_EQ(optimize_static(pipe, OptLevel2()), 0);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink->sum, 2 * (sum_below(50) + 50) + 50);
}
