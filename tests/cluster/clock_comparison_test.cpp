// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/clock_comparison.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace {

using weir::cluster::clock_comparison;
using weir::cluster::clock_translation;
using weir::cluster::compare_clocks;

constexpr std::int64_t second = 1'000'000'000;

// Compares clocks at the time `here`. The other clock is ahead by `ahead`; the question takes
// `there_within`, the answer `back_within`.
clock_comparison exchange(std::int64_t here, std::int64_t ahead, std::int64_t there_within, std::int64_t back_within) {
  return compare_clocks(here, here + there_within + ahead, here + there_within + back_within);
}

TEST(clock_comparison, is_wrong_by_no_more_than_it_says) {
  std::mt19937_64 random(1);
  for (int i = 0; i != 1000; ++i) {
    const auto some = [&](std::int64_t most) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
    };
    const std::int64_t ahead = some(200 * second) - 100 * second;
    const clock_comparison one = exchange(some(1000 * second), ahead, some(second / 100), some(second / 100));
    EXPECT_LE(std::abs(one.ahead - ahead), one.uncertainty());
    const clock_translation clock(one);
    EXPECT_EQ(clock.there(one.at), one.at + one.ahead);
    EXPECT_EQ(clock.uncertainty(), one.uncertainty());
  }
}

TEST(clock_comparison, of_two_close_to_each_other_the_better_counts) {
  const clock_comparison bad = exchange(5 * second, 70, 900, 100);
  const clock_comparison good = exchange(5 * second + 1000, 70, 20, 20);
  for (const clock_translation& clock : {clock_translation(bad, good), clock_translation(good, bad)}) {
    EXPECT_EQ(clock.there(6 * second), 6 * second + 70);
    EXPECT_EQ(clock.uncertainty(), 20);
  }
}

TEST(clock_comparison, a_clock_that_runs_faster_is_followed) {
  // The clock is 50 millionths faster, and 3 s ahead at 10 s.
  const auto ahead_at = [](std::int64_t here) { return 3 * second + (here - 10 * second) / 20'000; };
  const clock_translation clock(exchange(10 * second, ahead_at(10 * second), 10, 10),
                                exchange(70 * second, ahead_at(70 * second), 30, 30));
  for (std::int64_t here = 10 * second; here <= 70 * second; here += second) {
    EXPECT_NEAR(static_cast<double>(clock.there(here)), static_cast<double>(here + ahead_at(here)), 40.0);
  }
  EXPECT_EQ(clock.uncertainty(), 30);
}

}  // namespace
