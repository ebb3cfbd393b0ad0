// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Details on which programs rely: values in place of tasks, numbers of channels, lengths of queues,
// load balancers.

#include "nodes.hpp"

#include <ff/buffernode.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

using namespace ff;
using namespace ff_test;

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
      while (!go_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
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

TEST(statistics, of_a_block_are_the_report_of_its_run) {
  numbers source(100);
  sum_up sink;
  ff_Pipe<> pipe(source, sink);
  std::ostringstream before;
  pipe.ffStats(before);
  EXPECT_EQ(before.str().find("sum_up"), std::string::npos);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  std::ostringstream after;
  pipe.ffStats(after);
  EXPECT_NE(after.str().find("numbers"), std::string::npos);
  EXPECT_NE(after.str().find("sum_up"), std::string::npos);
  std::ostringstream of_a_node;
  sink.ffStats(of_a_node);
  EXPECT_NE(of_a_node.str().find(" ms"), std::string::npos);
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
      const bool is_last = *task == 3;
      ff_send_out(task);
      if (is_last) ff_send_out(EOS);
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
// task gets there. A source waits for it, for a short time only: on a busy machine not each run
// shows it.
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
  int seen = -1;
  for (int runs = 0; runs != 100 && seen != 20; ++runs) {
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
    seen = first.seen;
  }
  EXPECT_EQ(seen, 20);
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
