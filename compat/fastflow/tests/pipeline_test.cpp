// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Nodes, what they return, and pipelines.

#include "nodes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace ff;
using namespace ff_test;

TEST(pipelines, pass_tasks_on_in_order) {
  numbers source(100'000);
  increment one;
  increment other;
  sum_up sink;
  ff_Pipe<> pipe(source, one, other, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 100'000);
  EXPECT_EQ(sink.sum, sum_below(100'000) + 200'000);
  EXPECT_EQ(sink.ends, 1);
  EXPECT_EQ(sink.last_end, -1);
  EXPECT_EQ(pipe.cardinality(), 4);
  EXPECT_EQ(pipe.numThreads(), 4);
}

TEST(pipelines, number_their_stages) {
  numbers source(1);
  ff_Farm<long> farm(owned<increment>(3));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(source.get_my_id(), 0);
  EXPECT_EQ(sink.get_my_id(), 6);  // behind the source, an emitter, three workers and a collector
  EXPECT_EQ(farm.getWorkers()[2]->get_my_id(), 2);
}

TEST(pipelines, take_stages_by_reference_by_value_and_by_pointer) {
  numbers source(10);
  sum_up sink;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(increment());
  pipe.add_stage(std::make_unique<increment>());
  pipe.add_stage(new increment, true);
  pipe.add_stage(&sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(10) + 30);
}

TEST(pipelines, may_lie_in_each_other) {
  numbers source(100);
  sum_up sink;
  auto inner = ff::make_unique<ff_Pipe<>>(std::make_unique<increment>(), std::make_unique<increment>());
  ff_Pipe<> pipe(source, std::move(inner), sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(100) + 200);
  EXPECT_EQ(pipe.get_pipeline_nodes().size(), 4u);
}

TEST(pipelines, run_again) {
  struct counted : increment {
    int svc_init() override { return ++begun, 0; }
    void svc_end() override { ++ended; }
    int begun = 0;
    int ended = 0;
  };
  numbers source(30);
  counted node;
  sum_up sink;
  ff_Pipe<> pipe(source, node, sink);
  for (int round = 1; round != 4; ++round) {
    source.next = 0;
    EXPECT_EQ(pipe.run_then_freeze(), 0);
    EXPECT_EQ(pipe.wait_freezing(), 0);
    EXPECT_TRUE(pipe.done());
    EXPECT_EQ(node.begun, round);
    EXPECT_EQ(node.ended, round);
    EXPECT_EQ(sink.count, 30 * round);
    EXPECT_EQ(sink.ends, round);
  }
  EXPECT_EQ(pipe.wait(), 0);
  EXPECT_GE(pipe.ffTime(), 0);
}

// ---- what svc returns ----

// Sends some numbers by itself, and then returns `last`.
struct sends_then_returns : ff_node_t<long> {
  explicit sends_then_returns(long* end) : last(end) {}
  long* svc(long*) override {
    for (long i = 0; i != 10; ++i) EXPECT_TRUE(ff_send_out(new long(i)));
    return last;
  }
  long* last;
};

TEST(results_of_svc, that_end_a_stream) {
  for (void* const end : {FF_EOS, FF_EOSW, FF_EOS_NOFREEZE, FF_GO_OUT, static_cast<void*>(nullptr)}) {
    sends_then_returns source(static_cast<long*>(end));
    increment between;
    sum_up sink;
    ff_Pipe<> pipe(source, between, sink);
    EXPECT_EQ(pipe.run_and_wait_end(), 0) << end;
    EXPECT_EQ(sink.count, 10) << end;
    EXPECT_EQ(sink.ends, 1) << end;
  }
}

TEST(results_of_svc, that_send_nothing) {
  struct every_third : ff_node_t<long> {
    long* svc(long* task) override {
      if (*task % 3 == 0) return task;
      const bool flushes = *task % 3 == 1;
      delete task;
      return flushes ? FLUSH : GO_ON;
    }
  } filter;
  numbers source(300);
  sum_up sink;
  ff_Pipe<> pipe(source, filter, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 100);
}

TEST(results_of_svc, that_are_numbers_and_no_addresses) {
  struct counts : ff_node {
    void* svc(void*) override { return next == 1000 ? EOS : reinterpret_cast<void*>(++next); }
    std::size_t next = 0;
  } source;
  struct adds : ff_node {
    void* svc(void* task) override { return sum += reinterpret_cast<std::size_t>(task), GO_ON; }
    std::size_t sum = 0;
  } sink;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 500'500u);
}

// A node that ends early ends alone: those before it go on, and what they send is dropped.
TEST(results_of_svc, of_a_node_that_ends_before_its_input) {
  struct takes_five : ff_node {
    void* svc(void*) override { return ++seen == 5 ? EOS : GO_ON; }
    int seen = 0;
  } sink;
  struct counts : ff_node {
    void* svc(void*) override { return next == 100'000 ? EOS : reinterpret_cast<void*>(++next); }
    std::size_t next = 0;
  } source;
  struct passes : ff_node {
    void* svc(void* task) override { return ++seen, task; }
    std::size_t seen = 0;
  } between;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&between);
  pipe.add_stage(&sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.seen, 5);
  EXPECT_EQ(source.next, 100'000u);
  EXPECT_EQ(between.seen, 100'000u);
}

TEST(eosnotify, may_send) {
  struct counts : ff_node_t<long> {
    long* svc(long* task) override {
      delete task;
      ++seen;
      return GO_ON;
    }
    void eosnotify(ssize_t) override { ff_send_out(new long(seen)); }
    long seen = 0;
  } counter;
  numbers source(50);
  sum_up sink;
  ff_Pipe<> pipe(source, counter, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 1);
  EXPECT_EQ(sink.sum, 50);
}

// ---- misuse: an error in place of what FastFlow does ----

TEST(misuse, an_exception_of_svc_ends_the_run) {
  struct throws : ff_node_t<long> {
    long* svc(long* task) override {
      delete task;
      throw std::runtime_error("has had enough");
    }
  } node;
  numbers source(10);
  sum_up sink;
  ff_Pipe<> pipe(source, node, sink);
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("has had enough"), std::string::npos);
}

TEST(misuse, svc_init_below_zero_ends_the_run) {
  struct refuses : increment {
    int svc_init() override { return -1; }
  } node;
  numbers source(10);
  sum_up sink;
  ff_Pipe<> pipe(source, node, sink);
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("svc_init returned -1"), std::string::npos);
}

TEST(misuse, a_node_that_is_in_a_network_twice) {
  numbers source(10);
  increment node;
  sum_up sink;
  ff_pipeline pipe;
  for (ff_node* const each : std::vector<ff_node*>{&source, &node, &node, &sink}) pipe.add_stage(each);
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("in the network twice"), std::string::npos);
}

TEST(misuse, a_null_pointer_that_is_sent) {
  struct sends_null : ff_node_t<long> {
    long* svc(long*) override { return ff_send_out(nullptr), EOS; }
  } source;
  sum_up sink;
  ff_Pipe<> pipe(source, sink);
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("null pointer"), std::string::npos);
}

TEST(misuse, a_pipeline_without_stages) {
  ff_pipeline pipe;
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("without stages"), std::string::npos);
}

TEST(results_of_svc, that_are_values_of_the_library) {
  struct ends : ff_node {
    void* svc(void*) override { return ++calls == 3 ? FF_EOS : FF_GO_ON; }
    int calls = 0;
  } source;
  struct sink : ff_node {
    void* svc(void* task) override { return task == FF_EOS ? nullptr : FF_GO_ON; }
  } last;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&last);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(source.calls, 3);
}

TEST(results_of_svc, that_are_sent) {
  struct sends_go_out : ff_node {
    void* svc(void*) override {
      ff_send_out(this);
      ff_send_out(FF_GO_OUT);
      ff_send_out(this);
      return FF_EOS;
    }
  } source;
  struct counts : ff_node {
    void* svc(void*) override { return ++seen, FF_GO_ON; }
    void eosnotify(ssize_t) override { ++ends; }
    int seen = 0;
    int ends = 0;
  } sink;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.seen, 1);
  EXPECT_EQ(sink.ends, 0);
}

TEST(misuse, an_exception_of_svc_end) {
  struct throws : increment {
    void svc_end() override { throw std::runtime_error("not like this"); }
  } node;
  numbers source(10);
  sum_up sink;
  ff_Pipe<> pipe(source, node, sink);
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("not like this"), std::string::npos);
  EXPECT_EQ(node.get_num_outchannels(), 0u);  // it has no place any more
  EXPECT_TRUE(pipe.done());
}

// For the address sanitizer. A network that fails drops its tasks, as FastFlow does: a pointer
// can't be freed without its type. So the tests of mistakes leak.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
