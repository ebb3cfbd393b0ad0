// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Names that few programs use: headers, patterns and parts, and what load balancers refuse.

#include "nodes.hpp"

#include <ff/gsearch.hpp>
#include <ff/make_unique.hpp>
#include <ff/parallel_for_internals.hpp>
#include <ff/selector.hpp>
#include <ff/squeue.hpp>
#include <ff/staticallocator.hpp>
#include <ff/staticlinkedlist.hpp>
#include <ff/stencilReduce.hpp>
#include <ff/sysdep.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ff;
using namespace ff_test;

// ---- searching a graph ----

namespace {

using letters = gnode_t<std::string>;

/// A cycle of six nodes with a chord. Two of them are equal.
struct six_nodes {
  six_nodes() {
    for (long i = 0; i != 6; ++i) nodes.emplace_back(i + 1, i == 2 || i == 5 ? "same" : "node" + std::to_string(i));
    for (std::size_t i = 0; i != 6; ++i) nodes[i].add_node(&nodes[(i + 1) % 6]);
    nodes[0].add_node(&nodes[4]);
    nodes[3].add_node(&nodes[0]);
  }
  std::deque<letters> nodes;
};

}  // namespace

TEST(graph_search, finds_one_node_or_all) {
  six_nodes graph;
  letters wanted(0, "same");
  ff_graphsearch<letters> search(3);
  letters* one = nullptr;
  EXPECT_TRUE(search.search(&graph.nodes[0], &wanted, one));
  EXPECT_EQ(one->getElement(), "same");
  std::deque<letters*> all;
  EXPECT_TRUE(search.search(&graph.nodes[0], &wanted, all, 2));
  std::sort(all.begin(), all.end(), [](const letters* a, const letters* b) { return a->getId() < b->getId(); });
  EXPECT_EQ(all, (std::deque<letters*>{&graph.nodes[2], &graph.nodes[5]}));
  letters missing(0, "missing");
  EXPECT_FALSE(search.search(&graph.nodes[0], &missing, one));
  EXPECT_FALSE(search.search(&graph.nodes[0], &missing, all));
  letters first(0, "node0");
  EXPECT_TRUE(search.search(&graph.nodes[0], &first, one));
  EXPECT_EQ(one, &graph.nodes[0]);
}

TEST(graph_search, is_a_node) {
  six_nodes graph;
  letters wanted(0, "node4");
  struct source : ff_node_t<letters> {
    explicit source(letters* what) : task(what) {}
    letters* svc(letters*) override { return std::exchange(task, EOS); }
    letters* task;
  } from(&wanted);
  struct sink : ff_node_t<letters> {
    letters* svc(letters* task) override { return found = task, GO_ON; }
    letters* found = nullptr;
  } to;
  ff_graphsearch<letters> search(2);
  search.setStart(&graph.nodes[0]);
  ff_Pipe<> pipe(from, search, to);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(to.found, &graph.nodes[4]);

  ff_graphsearch<letters> without_start(2);
  source again(&wanted);
  ff_Pipe<> wrong(again, without_start, to);
  EXPECT_EQ(wrong.run_and_wait_end(), -1);
}

// ---- stencils ----

TEST(stencils, compute_and_reduce_in_rounds) {
  constexpr std::size_t side = 8;
  std::vector<long> in(side * side, 0), out(side * side, 0);
  stencil2D<long> stencil(in.data(), out.data(), side, side, side, 3);
  stencil.initInFunc([](std::size_t i, std::size_t j, void*) { return static_cast<long>(i * side + j); }, nullptr);
  stencil.preFunc([](long*, const std::size_t, const std::size_t, long& reduced) { reduced = 0; });
  stencil.computeFunc([](long i, long j, long* from, const std::size_t x, const std::size_t, long& reduced) {
    const long next = from[static_cast<std::size_t>(i) * x + static_cast<std::size_t>(j)] + 1;
    reduced += next;
    return next;
  });
  stencil.reduceFunc([](long, const std::size_t round) { return round < 3; }, 10,
                     [](long& to, long value) { to += value; }, 0);
  EXPECT_EQ(stencil.run_and_wait_end(), 0);
  EXPECT_EQ(stencil.getIter(), 3U);
  EXPECT_EQ(stencil.getReduceVar(), sum_below(side * side) + 3L * side * side);
  for (std::size_t i = 0; i != side * side; ++i) ASSERT_EQ(out[i], static_cast<long>(i) + 3);
}

TEST(stencils, are_nodes) {
  std::vector<long> in(16, 2), out(16, 0);
  stencilTask<long> grids(in.data(), 4, 0, 4, 1, 4, 0, 4, 1);
  grids.setOutTask(out.data(), 4);
  struct source : ff_node {
    explicit source(void* what) : task(what) {}
    void* svc(void*) override { return std::exchange(task, FF_EOS); }
    void* task;
  } from(&grids);
  stencil2D<long> stencil(2);
  stencil.computeFuncAll([](ParallelForReduce<long>& loops, long* read, long* write, const std::size_t x,
                            const std::size_t xstart, const std::size_t xstop, const std::size_t,
                            const std::size_t ystart, const std::size_t ystop, long&) {
    loops.parallel_for(static_cast<long>(xstart), static_cast<long>(xstop), [&](const long i) {
      for (std::size_t j = ystart; j != ystop; ++j)
        write[static_cast<std::size_t>(i) * x + j] = 2 * read[static_cast<std::size_t>(i) * x + j];
    });
  });
  struct sink : ff_node {
    void* svc(void* task) override { return ++count, found = task, GO_ON; }
    void* found = nullptr;
    int count = 0;
  } to;
  ff_Pipe<> pipe(from, stencil, to);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(to.found, &grids);
  EXPECT_EQ(to.count, 1);
  EXPECT_EQ(out, std::vector<long>(16, 4));
}

// ---- selectors ----

TEST(selectors, run_one_node_without_input) {
  struct add : ff_node_t<long> {
    explicit add(long number) : by(number) {}
    long* svc(long* task) override { return *task += by, task; }
    long by;
  } one(1), ten(10);
  long task = 5;
  ff_nodeSelector<long> selector(one, ten);
  selector.setTask(task);
  selector.selectNode(1);
  EXPECT_EQ(selector.run_and_wait_end(), 0);
  EXPECT_EQ(task, 15);
  ff_nodeSelector<long> owning(make_unique<add>(3), make_unique<add>(4));
  EXPECT_EQ(*owning.svc(&task), 18);
  ff_nodeSelector<long> empty;
  EXPECT_EQ(empty.run_and_wait_end(), -1);
}

TEST(selectors, let_their_nodes_send) {
  struct sends_twice : ff_node_t<long> {
    long* svc(long* task) override {
      ff_send_out(new long(*task));
      id = get_my_id();
      return task;
    }
    ssize_t id = -1;
  } node;
  ff_test::numbers source(10);
  ff_nodeSelector<long> selector(node);
  ff_test::sum_up sink;
  ff_Pipe<> pipe(source, selector, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 20);
  EXPECT_EQ(sink.sum, 2 * ff_test::sum_below(10));
  EXPECT_EQ(node.id, 1);
}

// ---- parts ----

TEST(parts, static_allocators_make_and_free_objects) {
  struct object {
    int number = 7;
  };
  struct other {
    short number = 8;
  };
  StaticAllocator allocator(2, sizeof(object), 2);
  EXPECT_EQ(allocator.init(), 0);
  std::vector<object*> all(10);  // more than there are slots
  for (object*& each : all) allocator.alloc(each, 1);
  for (object* const each : all) EXPECT_EQ(each->number, 7);
  other* second = nullptr;
  allocator.realloc(all[0], second);
  EXPECT_EQ(second->number, 8);
  StaticAllocator::dealloc(second);
  for (std::size_t i = 1; i != all.size(); ++i) StaticAllocator::dealloc(all[i]);
}

TEST(parts, queues_take_several_pointers_at_once) {
  SWSR_Ptr_Buffer queue(4);
  queue.init();
  long numbers[3] = {1, 2, 3};
  void* all[3] = {&numbers[0], &numbers[1], &numbers[2]};
  EXPECT_TRUE(queue.multipush(all, 3));
  EXPECT_FALSE(queue.multipush(all, 2));
  EXPECT_EQ(queue.length(), 3U);
  void* found = nullptr;
  for (long& each : numbers) {
    EXPECT_TRUE(queue.pop(&found));
    EXPECT_EQ(found, &each);
  }
  EXPECT_FALSE(queue.pop(&found));

  staticlinkedlist list(2);
  EXPECT_TRUE(list.push(&numbers[0]));
  EXPECT_TRUE(list.pop(&found));
  EXPECT_EQ(found, &numbers[0]);
}

TEST(parts, queues_flush_at_once) {
  SWSR_Ptr_Buffer bounded(2);
  uSWSR_Ptr_Buffer growing(2);
  ASSERT_TRUE(bounded.init());
  ASSERT_TRUE(growing.init());
  int value = 0;
  void* found = nullptr;
  EXPECT_TRUE(bounded.mpush(&value));
  EXPECT_TRUE(bounded.flush());
  EXPECT_TRUE(bounded.pop(&found));
  EXPECT_EQ(found, &value);
  found = nullptr;
  EXPECT_TRUE(growing.mpush(&value));
  EXPECT_TRUE(growing.flush());
  EXPECT_TRUE(growing.pop(&found));
  EXPECT_EQ(found, &value);
}

TEST(parts, squeues_have_two_ends) {
  squeue<int> queue;
  queue.pop_front();
  for (int i = 0; i != 5; ++i) queue.push_back(i);
  queue.pop_back();
  queue.pop_front();
  EXPECT_EQ(queue.size(), 3U);
  EXPECT_EQ(queue.front(), 1);
  EXPECT_EQ(queue.back(), 3);
  EXPECT_EQ(queue.at(1), 2);
}

TEST(parts, of_the_machine) {
  EXPECT_EQ(nextPowerOf2(17), 32U);
  EXPECT_TRUE(isPowerOf2(32));
  void* const memory = getAlignedMemory(64, 100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U);
  freeAlignedMemory(memory);
  AtomicFlagWrapper flag;
  EXPECT_FALSE(flag.test_and_set());
  EXPECT_TRUE(flag.test_and_set());
  flag.clear();
  WMB();
}

TEST(graph_utils, look_into_blocks) {
  increment first;
  increment last;
  ff_comb both(&first, &last);
  ff_Farm<long> farm(owned<increment>(2), both);
  ff_a2a a2a;
  increment left;
  increment right;
  a2a.add_firstset(std::vector<ff_node*>{&left});
  a2a.add_secondset(std::vector<ff_node*>{&right});
  ff_pipeline pipe;
  pipe.add_stage(&farm);
  pipe.add_stage(&a2a);
  EXPECT_TRUE(isfarm_withcollector(&farm));
  EXPECT_FALSE(isfarm_multimultioutput(&farm));
  EXPECT_EQ(isfarm_getworkers(&farm).size(), 2U);
  EXPECT_EQ(isfarm_getworkers(&left).size(), 0U);
  EXPECT_EQ(isa2a_getfirstset(&a2a).front(), &left);
  EXPECT_EQ(isa2a_getsecondset(&a2a).front(), &right);
  EXPECT_EQ(ispipe_getlast(&pipe), &a2a);
  EXPECT_EQ(getBB(&pipe, &pipe), &pipe);
  EXPECT_EQ(getBB(&pipe, &farm), &pipe);
  EXPECT_EQ(getBB(&pipe, &right), &a2a);
  EXPECT_EQ(getBB(&pipe, &both), &farm);
  EXPECT_EQ(getBB(&pipe, &last), &both);
  increment stranger;
  EXPECT_EQ(getBB(&pipe, &stranger), nullptr);
}
