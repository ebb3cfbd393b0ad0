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
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
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

TEST(queue_sizes, of_nodes_that_run_by_themselves) {
  ff_test::increment node;
  std::size_t before = 7;
  EXPECT_FALSE(node.change_inputqueuesize(3, before));
  EXPECT_EQ(before, 0U);
  node.create_input_buffer(2, true);
  EXPECT_TRUE(node.change_inputqueuesize(3, before));
  EXPECT_EQ(before, 2U);
  for (long i = 0; i != 3; ++i) EXPECT_TRUE(node.get_in_buffer()->push(new long(i)));
  long extra = 0;
  EXPECT_FALSE(node.get_in_buffer()->push(&extra));
  for (void* task = nullptr; node.get_in_buffer()->pop(&task);) delete static_cast<long*>(task);
}

TEST(queue_sizes, of_nodes_in_a_network) {
  numbers source(5);
  sum_up sink;
  ff_Pipe<> pipe(source, sink);
  pipe.setXNodeInputQueueLength(3, true);
  EXPECT_EQ(sink.get_in_buffer(), nullptr);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  ASSERT_NE(sink.get_in_buffer(), nullptr);
  EXPECT_EQ(sink.get_in_buffer()->buffersize(), 3U);
  EXPECT_TRUE(sink.get_in_buffer()->empty());
  std::size_t before = 0;
  EXPECT_TRUE(sink.change_inputqueuesize(1, before));
  EXPECT_EQ(before, 3U);
  EXPECT_EQ(source.get_in_buffer(), nullptr);
  ASSERT_NE(source.get_out_buffer(), nullptr);
  EXPECT_EQ(source.get_out_buffer()->length(), 0U);
  EXPECT_EQ(sink.get_out_buffer(), nullptr);
}

// How much waits in the channel to the next node is known while that one does nothing.
TEST(queue_sizes, tell_what_waits) {
  struct source : ff_node_t<long> {
    explicit source(std::atomic<bool>& flag) : go_on(flag) {}
    long* svc(long*) override {
      if (sent++ < 10) return new long(1);
      most = std::max(most, get_out_buffer()->length());
      if (most >= 5) go_on = true;
      return go_on ? EOS : GO_ON;
    }
    std::atomic<bool>& go_on;
    std::size_t most = 0;
    int sent = 0;
  };
  struct sink : ff_node_t<long> {
    explicit sink(std::atomic<bool>& flag) : go_on(flag) {}
    long* svc(long* task) override {
      while (!go_on) std::this_thread::yield();
      delete task;
      return GO_ON;
    }
    std::atomic<bool>& go_on;
  };
  std::atomic<bool> go_on{false};
  source sends(go_on);
  sink waits(go_on);
  ff_Pipe<> pipe(sends, waits);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_GE(sends.most, 5U);
}

TEST(out_nodes, of_a_node_that_runs_are_those_it_sends_to) {
  struct source : ff_monode_t<long> {
    long* svc(long*) override {
      get_out_nodes(next);
      get_out_nodes_feedback(back);
      return EOS;
    }
    svector<ff_node*> next;
    svector<ff_node*> back;
  };
  source sends;
  std::vector<ff_node*> workers = raw<increment>(3);
  ff_farm farm(workers, &sends);
  farm.cleanup_workers();
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_TRUE(std::equal(workers.begin(), workers.end(), sends.next.begin(), sends.next.end()));
  EXPECT_TRUE(sends.back.empty());
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

// ---- load balancers and gatherers ----

TEST(load_balancers, tell_where_a_task_comes_from) {
  struct emitter : ff_node {
    explicit emitter(ff_loadbalancer* of_farm) : lb(of_farm) {}
    void* svc(void* task) override {
      from.push_back(lb->get_channel_id());
      if (task != nullptr) {
        delete static_cast<long*>(task);
        return EOS;
      }
      lb->ff_send_out_to(new long(1), 1);
      return GO_ON;
    }
    ff_loadbalancer* lb;
    std::vector<ssize_t> from;
  };
  ff_farm farm;
  farm.add_workers(raw<increment>(2));
  farm.cleanup_workers();
  emitter sends(farm.getlb());
  farm.add_emitter(&sends);
  farm.wrap_around();
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(sends.from, (std::vector<ssize_t>{-2, 1}));
}

TEST(pipelines, know_the_neighbours_of_a_stage) {
  increment a;
  increment b;
  ff_pipeline pipe;
  int (ff_pipeline::*const add)(increment*, bool) = &ff_pipeline::add_stage;
  EXPECT_EQ((pipe.*add)(&a, false), 0);
  EXPECT_EQ((pipe.*add)(&b, false), 0);
  EXPECT_EQ(pipe.get_stageindex(&b), 1);
  EXPECT_EQ(pipe.get_nextstage(&a), &b);
  EXPECT_EQ(pipe.get_nextstage(&b), nullptr);
  EXPECT_EQ(pipe.get_prevstage(&b), &a);
  EXPECT_EQ(pipe.get_prevstage(&a), nullptr);
  EXPECT_EQ(pipe.get_stageindex(&pipe), -1);
  pipe.remove_stage(0, true);
  EXPECT_EQ(pipe.get_firststage(), &b);
}

// FastFlow's own check of the types of stages finds nothing, and programs do this.
TEST(pipelines, take_stages_of_other_types) {
  struct words : ff_node_t<long, std::string> {
    std::string* svc(long* task) override { return reinterpret_cast<std::string*>(task); }
  };
  numbers source(10);
  words node;
  sum_up sink;
  ff_Pipe<> pipe(source, node, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 10);
}

// BLK and NBLK switch FastFlow's waits. Here they reach nobody, whoever sends them. GO_ON and FLUSH
// are no tasks if svc returns them.
TEST(sentinels, that_are_no_tasks_reach_nobody) {
  struct sends : ff_monode_t<long> {
    long* svc(long*) override {
      ff_send_out(BLK);
      ff_send_out_to(NBLK, 0);
      broadcast_task(BLK);
      ff_send_out(FLUSH);
      if (called++ == 0) return NBLK;
      if (called == 2) return FLUSH;
      if (called == 3) return GO_ON;
      return called == 4 ? new long(7) : EOS;
    }
    int called = 0;
  };
  sends source;
  sum_up sink;
  ff_Pipe<> pipe(source, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 1);
  EXPECT_EQ(sink.sum, 7);
}

// A worker gets GO_ON if the emitter sends it: FastFlow's farms begin their workers so.
TEST(sentinels, go_on_that_is_sent_is_a_task) {
  struct sends : ff_node {
    void* svc(void*) override {
      ff_send_out(GO_ON);
      return EOS;
    }
  };
  struct takes : ff_node {
    void* svc(void* task) override {
      got_go_on = got_go_on || task == GO_ON;
      return GO_ON;
    }
    bool got_go_on = false;
  };
  sends source;
  takes sink;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_TRUE(sink.got_go_on);
}

TEST(sends, a_number_of_ff_send_out_is_ignored) {
  struct deals_to_all : ff_monode_t<long> {
    long* svc(long*) override {
      for (long i = 0; i != 30; ++i) ff_send_out(new long(i), 0);
      return EOS;
    }
  };
  deals_to_all source;
  ff_farm farm(raw<increment>(3), &source);
  farm.cleanup_workers();
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  for (ff_node* const each : farm.getWorkers()) EXPECT_EQ(static_cast<increment*>(each)->seen, 10);
}

TEST(channels, of_an_emitter_are_its_inputs_but_feedback) {
  struct emitter : ff_monode_t<long> {
    long* svc(long* task) override {
      inputs = get_num_inchannels();
      consumers = get_num_outchannels();
      if (fromInput_()) ++from_input;
      return task;
    }
    bool fromInput_() const { return getlb()->fromInput(); }
    std::size_t inputs = 0;
    std::size_t consumers = 0;
    long from_input = 0;
  };
  struct ends : ff_node_t<long> {
    long* svc(long* task) override {
      delete task;
      return GO_ON;
    }
  };
  numbers source(5);
  emitter sends;
  std::vector<ff_node*> workers = raw<ends>(3);
  ff_farm farm(workers, &sends);
  farm.remove_collector();
  farm.cleanup_workers();
  ff_Pipe<> pipe(source, farm);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sends.inputs, 1U);
  EXPECT_EQ(sends.consumers, 3U);
  EXPECT_EQ(sends.from_input, 5);
}

TEST(combinations, are_deduced_from_pointers) {
  numbers first(5);
  sum_up last;
  ff_comb_t both(&first, &last);
  static_assert(std::is_same_v<decltype(both), ff_comb_t<long, long, long>>);
  numbers source(1);
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&both);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(last.count, 1);
}

// The last part gets nothing that the first one sends behind EOS.
TEST(combinations, end_when_the_first_part_sends_the_end) {
  struct first_part : ff_monode_t<long> {
    long* svc(long* task) override {
      ff_send_out(task);
      if (*task == 3) ff_send_out(EOS);
      return GO_ON;
    }
  };
  numbers source(100);
  first_part first;
  struct counts : ff_node_t<long> {
    long* svc(long* task) override {
      ++seen;
      return task;
    }
    void eosnotify(ssize_t) override { ++ends; }
    int seen = 0;
    int ends = 0;
  } last;
  ff_comb both(&first, &last);
  sum_up sink;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&both);
  pipe.add_stage(&sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 4);
  EXPECT_EQ(sink.ends, 1);
  EXPECT_EQ(last.ends, 1);
}

// Programs send numbers from FF_TAG_MIN on in place of tasks.
TEST(tags, are_tasks) {
  struct sends : ff_node {
    void* svc(void*) override {
      for (std::size_t i = 0; i != 3; ++i) ff_send_out(tag(i));
      return EOS;
    }
    static void* tag(std::size_t i) { return reinterpret_cast<void*>(reinterpret_cast<std::size_t>(FF_TAG_MIN) + i); }
  };
  struct passes : ff_node {
    void* svc(void* task) override { return task; }
  };
  struct collects : ff_node {
    void* svc(void* task) override {
      seen.push_back(task);
      return GO_ON;
    }
    std::vector<void*> seen;
  };
  sends source;
  std::vector<ff_node*> workers{new passes, new passes};
  ff_farm farm(workers, &source);
  farm.set_ordered();
  farm.cleanup_workers();
  collects sink;
  ff_pipeline pipe;
  pipe.add_stage(&farm);
  pipe.add_stage(&sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.seen, (std::vector<void*>{sends::tag(0), sends::tag(1), sends::tag(2)}));
}

// FastFlow starts all threads at once, so that the svc_init of the last node comes before the first
// task gets there.
TEST(svc_init, of_all_nodes_comes_before_the_first_task) {
  static std::atomic<int> begun;
  struct begins : ff_node_t<long> {
    int svc_init() override {
      ++begun;
      return 0;
    }
    long* svc(long* task) override { return task; }
  };
  struct source : ff_node_t<long> {
    long* svc(long*) override {
      seen = begun;
      return EOS;
    }
    int seen = -1;
  };
  begun = 0;
  source first;
  std::vector<std::unique_ptr<begins>> others;
  ff_pipeline pipe;
  pipe.add_stage(&first);
  for (int i = 0; i != 20; ++i) {
    others.push_back(std::make_unique<begins>());
    pipe.add_stage(others.back().get());
  }
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(begun, 20);
  EXPECT_GE(first.seen, 0);
}

TEST(pipelines_without_stages, have_no_nodes) {
  const ff_pipeline pipe;
  EXPECT_EQ(pipe.get_firststage(), nullptr);
  EXPECT_EQ(pipe.get_laststage(), nullptr);
  EXPECT_EQ(pipe.get_lastnode(), nullptr);
  EXPECT_EQ(pipe.get_node(0), nullptr);
}

TEST(load_balancers, know_their_farm) {
  increment emitter;
  increment collector;
  ff_farm farm(raw<increment>(3));
  farm.cleanup_workers();
  EXPECT_EQ(farm.getlb()->set_filter(&emitter), 0);
  EXPECT_EQ(farm.getgt()->set_filter(&collector), 0);
  EXPECT_EQ(farm.getEmitter(), &emitter);
  EXPECT_EQ(farm.getlb()->get_filter(), &emitter);
  EXPECT_EQ(farm.getgt()->get_filter(), &collector);
  EXPECT_EQ(farm.getlb()->getWorkers().size(), 3U);
  ff_farm copy(farm);
  EXPECT_EQ(copy.getlb()->getWorkers().size(), 3U);
}

TEST(load_balancers, let_emitters_use_their_own_functions) {
  struct to_first : ff_loadbalancer {
    bool ff_send_out_to(void* task, int, unsigned long retry, unsigned long wait) override {
      return ff_loadbalancer::ff_send_out_to(task, 0, retry, wait);
    }
    bool schedule(void* task) { return schedule_task(task); }
  } lb;
  struct emitter : ff_node {
    explicit emitter(to_first& of_farm) : lb(of_farm) {}
    void* svc(void*) override {
      static_cast<ff_loadbalancer&>(lb).ff_send_out_to(new long(1), 1);
      lb.schedule(new long(2));
      return EOS;
    }
    to_first& lb;
  } sends(lb);
  ff_farm farm(raw<increment>(2), &sends);
  farm.cleanup_workers();
  farm.setlb(&lb);
  sum_all sink;
  farm.add_collector(&sink);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 5);
  EXPECT_GE(static_cast<increment*>(farm.getWorkers()[0])->seen, 1);
}
