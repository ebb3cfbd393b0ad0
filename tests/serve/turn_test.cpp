// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/serve/turn.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

namespace {

// Streaks of all lengths: short ones, in which no thread becomes the favourite, and long ones.
TEST(turn, lets_one_thread_in_at_a_time) {
  constexpr int threads = 6;
  constexpr int streaks = 2000;
  weir::detail::turn turn;
  long count = 0;
  long done = 0;
  {
    std::vector<std::jthread> all;
    for (unsigned i = 0; i != threads; ++i) {
      all.emplace_back([&, i] {
        std::minstd_rand random(i + 1);
        long mine = 0;
        for (int streak = 0; streak != streaks; ++streak) {
          const unsigned length = 1U << random() % 9;
          for (unsigned n = 0; n != length; ++n, ++mine) {
            const weir::detail::turn::guard inside(turn);
            ++count;
          }
          std::this_thread::yield();
        }
        const weir::detail::turn::guard inside(turn);
        done += mine;
      });
    }
  }
  EXPECT_EQ(count, done);
}

TEST(turn, outlives_its_favourites) {
  weir::detail::turn turn;
  long count = 0;
  for (int i = 0; i != 50; ++i) {
    std::jthread([&] {
      for (int n = 0; n != 1000; ++n) {
        const weir::detail::turn::guard inside(turn);
        ++count;
      }
    }).join();
  }
  EXPECT_EQ(count, 50'000);
}

}  // namespace
