// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that run one by one, connected by queues.

#include "nodes.hpp"

#include <ff/buffernode.hpp>
#include <gtest/gtest.h>

#include <thread>

using namespace ff;
using namespace ff_test;

TEST(nodes_alone, take_from_and_send_to_queues) {
  numbers source(10'000);
  increment between;
  sum_up sink;
  ff_buffernode first;
  ff_buffernode last(16, true);
  EXPECT_EQ(source.set_output(&first), 0);
  EXPECT_EQ(between.set_input(&first), 0);
  EXPECT_EQ(between.set_output(&last), 0);
  EXPECT_EQ(sink.set_input(&last), 0);
  for (ff_node* const each : std::vector<ff_node*>{&sink, &between, &source}) EXPECT_EQ(each->run(), 0);
  for (ff_node* const each : std::vector<ff_node*>{&source, &between, &sink}) EXPECT_EQ(each->wait(), 0);
  EXPECT_EQ(sink.count, 10'000);
  EXPECT_EQ(sink.sum, sum_below(10'000) + 10'000);
  EXPECT_EQ(sink.ends, 1);
}

TEST(nodes_alone, have_queues_of_their_own) {
  increment node;
  EXPECT_EQ(node.create_input_buffer(8), 0);
  EXPECT_EQ(node.create_input_buffer(8), -1);
  EXPECT_EQ(node.create_output_buffer(8), 0);
  EXPECT_EQ(node.run(), 0);
  std::thread sends([&] {
    for (long i = 0; i != 1000; ++i) node.get_in_buffer()->put(new long(i));
    node.get_in_buffer()->put(FF_EOS);
  });
  long sum = 0;
  for (void* task = nullptr; (task = node.get_out_buffer()->take()) != FF_EOS;) {
    sum += *static_cast<long*>(task);
    delete static_cast<long*>(task);
  }
  sends.join();
  EXPECT_EQ(node.wait(), 0);
  EXPECT_EQ(sum, sum_below(1000) + 1000);
}

// Each node of a ring sends to the next one. The first one begins, and ends the ring when its task
// has come back a hundred times.
TEST(nodes_alone, form_a_ring) {
  struct member : ff_node_t<long> {
    long* svc(long* task) override {
      if (task == nullptr) return new long(0);
      if (get_my_id() == 0 && ++rounds == 100) {
        sum = *task;
        delete task;
        return EOS;
      }
      ++*task;
      return task;
    }
    long rounds = 0;
    long sum = 0;
  };
  member ring[4];
  for (int i = 0; i != 4; ++i) {
    ring[i].set_id(i);
    ring[i].create_input_buffer(8, false);
  }
  for (int i = 0; i != 4; ++i) ring[i].set_output(&ring[(i + 1) % 4]);
  ring[0].skipfirstpop(true);
  for (member& each : ring) EXPECT_EQ(each.run(), 0);
  for (member& each : ring) EXPECT_EQ(each.wait(), 0);
  EXPECT_EQ(ring[0].sum, 399);
}

// FastFlow looks at the flag after svc_init.
struct called_first : ff_minode_t<long> {
  int svc_init() override {
    skipfirstpop(true);
    return 0;
  }
  long* svc(long* task) override {
    if (task == nullptr) {
      ++without;
      return GO_ON;
    }
    return task;
  }
  int without = 0;
};

TEST(nodes_with_skipfirstpop, are_called_without_a_task_first) {
  numbers source(10);
  called_first node;
  sum_up sink;
  ff_Pipe<> pipe(source, node, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(node.without, 1);
  EXPECT_EQ(sink.count, 10);
}

TEST(nodes_with_skipfirstpop, may_be_the_first_part_of_a_combination) {
  numbers source(10);
  called_first node;
  sum_up last;
  ff_comb both(&node, &last);
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&both);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(node.without, 1);
  EXPECT_EQ(last.count, 10);
}

TEST(nodes_alone, have_several_queues) {
  struct deals : ff_monode_t<long> {
    long* svc(long*) override {
      for (int i = 0; i != 99; ++i) ff_send_out_to(new long(i), i % 3);
      return EOS;
    }
  } source;
  sum_all sink;
  ff_buffernode queues[3];
  for (ff_buffernode& each : queues) {
    source.set_output(&each);
    sink.set_input(&each);
  }
  EXPECT_EQ(source.run(), 0);
  EXPECT_EQ(sink.run(), 0);
  EXPECT_EQ(source.wait(), 0);
  EXPECT_EQ(sink.wait(), 0);
  EXPECT_EQ(sink.from, (std::vector<long>{33, 33, 33}));
  EXPECT_EQ(sink.ended.size(), 3u);
}
