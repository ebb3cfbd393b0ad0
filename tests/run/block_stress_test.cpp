// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Random networks of blocks with loops, ordered blocks, splits and merges, ended in every way. See
// `stress` for the environment variables. If a loop does not detect its end, the test hangs.

#include "networks.hpp"
#include "random_block.hpp"

#include <chrono>
#include <thread>

namespace {

using namespace weir_test;
class block_stress : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(block_stress);

TEST_P(block_stress, runs_to_the_end_again_and_again) {
  stress(30, [&](unsigned seed) {
    ledger book;
    weir::network net = random_blocks(book, seed, {}).network();
    for (int times = 0; times != 3; ++times) {
      book.reset();
      run(net);
      EXPECT_EQ(book.alive, 0);
      EXPECT_EQ(book.disorders, 0);
      EXPECT_GT(book.made, 0);
      EXPECT_EQ(book.made, book.used);
      EXPECT_EQ(book.starts, book.finishes);
    }
  });
}

TEST_P(block_stress, is_cancelled_or_drained_at_any_moment) {
  stress(40, [&](unsigned seed) {
    ledger book;
    disturbance disturb(seed);
    weir::network net = random_blocks(book, seed, {.items = 3000}).network();
    for (int times = 0; times != 2; ++times) {
      book.reset();
      const bool drained = disturb.one_in(2);
      {
        weir::running now = weir::start(net, GetParam().options);
        if (!disturb.one_in(4)) std::this_thread::sleep_for(std::chrono::microseconds(disturb.below(3000)));
        if (drained) {
          now.drain();
        } else {
          now.cancel();
        }
        now.wait();
      }
      EXPECT_EQ(book.alive, 0);
      EXPECT_EQ(book.disorders, 0);
      if (drained) {
        EXPECT_EQ(book.made, book.used);
      }
    }
  });
}

TEST_P(block_stress, nodes_that_throw) {
  stress(40, [&](unsigned seed) {
    ledger book;
    weir::network net = random_blocks(book, seed, {.some_fail = true}).network();
    try {
      run(net);
      EXPECT_EQ(book.thrown, 0);
      EXPECT_EQ(book.made, book.used);
    } catch (const weir::node_error& error) {
      EXPECT_GT(book.thrown, 0);
      EXPECT_THROW(std::rethrow_if_nested(error), node_failure);
    }
    EXPECT_EQ(book.alive, 0);
    EXPECT_EQ(book.disorders, 0);
  });
}

}  // namespace
