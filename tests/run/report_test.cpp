// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Reports of runs under way.

#include "networks.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;

class report_so_far : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(report_so_far);

TEST_P(report_so_far, grows_and_ends_as_the_report_of_the_end) {
  std::atomic<bool> go_on{true};
  std::atomic<long> thousands{0};  // of items that have come to the end
  long passed = 0;
  weir::network net = weir::source([&, made = 0L]() mutable -> std::optional<long> {
                        if (!go_on) return std::nullopt;
                        return made++;
                      }).named("read") |
                      weir::farm([](long item) { return item; }, 2).named("work") | weir::sink([&](long) {
                                                                                      if (++passed % 1000 != 0) return;
                                                                                      ++thousands;
                                                                                      thousands.notify_one();
                                                                                    }).named("end");
  weir::running now = weir::start(net, GetParam().options);
  std::uint64_t seen = 0;
  for (long known = 0; known < 50; known = thousands) {
    thousands.wait(known);
    const weir::report made = now.report_so_far();
    EXPECT_FALSE(made.ended);
    ASSERT_EQ(made.nodes.size(), 4U);
    EXPECT_GE(made.nodes.back().items, seen);
    seen = made.nodes.back().items;
    for (const weir::channel_report& each : made.channels) EXPECT_LE(each.fill, 1);
  }
  go_on = false;
  const weir::report last = now.wait();
  EXPECT_TRUE(last.ended);
  EXPECT_GE(last.nodes.back().items, seen);
  EXPECT_EQ(weir::to_json(now.report_so_far()), weir::to_json(last));
}

TEST_P(report_so_far, from_several_threads_while_runs_end) {
  weir::network net = numbers(50'000) | weir::node([](long item) { return item; }) | weir::sink([](long) {});
  weir::running now = weir::start(net, GetParam().options);
  std::atomic<bool> over{false};
  std::vector<std::jthread> readers;
  for (int i = 0; i != 3; ++i) {
    readers.emplace_back([&] {
      while (!over) {
        const weir::report made = now.report_so_far();
        EXPECT_LE(made.nodes.back().items, 50'000U);
        EXPECT_EQ(now.failure(), nullptr);
      }
    });
  }
  now.wait();
  over = true;
}

TEST_P(report_so_far, counts_a_step_that_does_not_end) {
  if (GetParam().options.fuse) GTEST_SKIP() << "fused nodes count at the end of their turn";
  std::atomic<bool> go_on{true};
  weir::network net = numbers(1000) | weir::sink([&](long item) {
                                        while (item == 500 && go_on) std::this_thread::yield();
                                      }).capacity(2000);
  weir::running now = weir::start(net, GetParam().options);
  while (now.report_so_far().nodes.back().items < 500) std::this_thread::yield();
  EXPECT_EQ(now.report_so_far().nodes.back().items, 500U);
  while (now.report_so_far().nodes.back().busy == std::chrono::nanoseconds(0)) std::this_thread::yield();
  go_on = false;
  now.wait();
}

TEST_P(report_so_far, tells_of_a_node_that_waits_in_its_own_code) {
  std::atomic<bool> open{false};
  weir::network net = numbers(10) | weir::sink([&](long) { open.wait(false); }).named("write");
  weir::running now = weir::start(net, GetParam().options);
  weir::node_report write;
  while (write.in_own_code.count() == 0) write = now.report_so_far().nodes.back();
  EXPECT_EQ(write.path, "/write");
  EXPECT_NE(write.thread, 0);
  EXPECT_NE(write.thread, ::gettid());
  EXPECT_LE(write.in_own_code_cpu, write.in_own_code);
  open = true;
  open.notify_all();
  EXPECT_EQ(now.wait().nodes.back().in_own_code.count(), 0);
}

// At any moment a node is in one of four states, so their times add up to no more than the run
// takes. Every item is handed over by itself, soon after the one before, so that threads with only
// one node are often still awake when it comes.
TEST_P(report_so_far, of_a_node_does_not_count_a_time_twice) {
  const auto began = std::chrono::steady_clock::now();
  const weir::report made = weir::run(weir::source([made = 0L]() mutable -> std::optional<long> {
                                        const auto until =
                                            std::chrono::steady_clock::now() + std::chrono::microseconds(made % 16);
                                        while (std::chrono::steady_clock::now() < until) continue;
                                        return made++ != 10'000 ? std::optional<long>(made) : std::nullopt;
                                      }) | weir::sink([](long) {}).capacity(1),
                                      GetParam().options);
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  for (const weir::node_report& node : made.nodes) {
    EXPECT_LE(node.busy + node.ready + node.waiting_input + node.waiting_room, took) << node.path;
  }
}

}  // namespace
