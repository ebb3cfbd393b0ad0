// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/patterns/sweeps.hpp"

#include "weir/graph/error.hpp"
#include "weir/run/fork_join.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using weir::detail::sweeps;

TEST(sweeps, run_each_block_once_in_each_sweep) {
  for (const std::size_t workers : {0U, 1U, 2U}) {
    for (const std::size_t blocks : {0U, 1U, 2U, 3U, 100U}) {
      sweeps all(blocks, {.workers = workers});
      std::vector<std::size_t> calls(blocks);  // not atomic: a sweep must see the effects of the one before it
      for (std::size_t round = 1; round != 200; ++round) {
        all.sweep([&](std::size_t block, std::size_t) { ++calls[block]; });
        for (const std::size_t each : calls) ASSERT_EQ(each, round);
      }
    }
  }
}

// If a worker is held up, the others do its blocks.
TEST(sweeps, help_with_what_is_left) {
  if (weir::concurrency() < 2) GTEST_SKIP() << "needs two workers";
  sweeps all(100, {.workers = 2});
  std::atomic<std::size_t> done{0};
  all.sweep([&](std::size_t block, std::size_t) {
    if (block == 0) {
      while (done != 99) std::this_thread::yield();
    } else {
      ++done;
    }
  });
  EXPECT_EQ(done, 99U);
}

TEST(sweeps, go_on_after_one_that_has_failed) {
  sweeps all(50, {});
  EXPECT_THROW(all.sweep([](std::size_t block, std::size_t) {
    if (block == 20) throw std::runtime_error("twenty");
  }),
               std::runtime_error);
  std::vector<int> calls(50);
  all.sweep([&](std::size_t block, std::size_t) { ++calls[block]; });
  EXPECT_EQ(calls, std::vector<int>(50, 1));
}

TEST(sweeps, stop_when_asked_to) {
  std::stop_source stop;
  sweeps all(50, {.workers = 1, .stop = stop.get_token()});
  int calls = 0;
  EXPECT_THROW(all.sweep([&](std::size_t, std::size_t) {
    if (++calls == 10) stop.request_stop();
  }),
               weir::stopped);
  EXPECT_EQ(calls, 10);
  EXPECT_THROW(all.sweep([&](std::size_t, std::size_t) { ++calls; }), weir::stopped);
  EXPECT_EQ(calls, 10);
}

}  // namespace
