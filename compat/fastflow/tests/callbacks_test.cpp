// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#define FF_TASK_CALLBACK
#include "nodes.hpp"

#include <gtest/gtest.h>

namespace {

struct counts_calls : ff::ff_node_t<long> {
  long* svc(long* task) override {
    if (*task % 2 != 0) {
      delete task;
      return GO_ON;
    }
    ff_send_out(new long(*task));
    return task;
  }
  void callbackIn(void*) override { ++in; }
  void callbackOut(void*) override { ++out; }
  int in = 0;
  int out = 0;
};

TEST(callbacks, before_each_svc_and_after_each_task_sent) {
  ff_test::numbers source(10);
  counts_calls node;
  ff_test::sum_up sink;
  ff::ff_Pipe<> pipe(source, node, sink);
  ASSERT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 10);
  EXPECT_EQ(node.in, 10);
  EXPECT_EQ(node.out, 10);  // two for each second task
}

}  // namespace
