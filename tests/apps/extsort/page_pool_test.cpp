// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/page_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace extsort {
namespace {

// Compares the pool with a list of pages that records which ones are taken.
TEST(page_pool, gives_each_page_to_one_at_a_time) {
  constexpr std::size_t pages = 200;
  arena memory(pages * page);
  page_pool pool(memory.take(pages * page));
  std::vector<bool> used(pages);
  std::vector<extent> taken;
  std::mt19937 random(5);
  const auto longest_gap = [&] {
    std::size_t longest = 0, present = 0;
    for (const bool each : used) longest = std::max(longest, present = each ? 0 : present + 1);
    return longest;
  };
  int refused = 0;
  for (int i = 0; i != 20'000; ++i) {
    if (random() % 9 < 5) {
      const std::size_t wanted = random() % 4 == 0 ? 1 + random() % 20 : 1;
      const auto made = pool.take(wanted);
      ASSERT_EQ(made.has_value(), longest_gap() >= wanted) << wanted << " pages";
      if (!made) {
        ++refused;
        continue;
      }
      ASSERT_EQ(made->pages, wanted);
      for (std::size_t at = made->first; at != made->first + wanted; ++at) {
        ASSERT_FALSE(used.at(at));
        used[at] = true;
      }
      taken.push_back(*made);
    } else if (!taken.empty()) {
      std::swap(taken[random() % taken.size()], taken.back());
      for (std::size_t at = taken.back().first; at != taken.back().first + taken.back().pages; ++at) used[at] = false;
      pool.give_back(taken.back());
      taken.pop_back();
    }
    ASSERT_EQ(pool.free(), static_cast<std::size_t>(std::ranges::count(used, false)));
  }
  EXPECT_GT(refused, 100);
}

TEST(page_pool, leaves_no_gaps_once_all_are_free) {
  constexpr std::size_t pages = 130;
  arena memory(pages * page);
  page_pool pool(memory.take(pages * page));
  const auto some = pool.take(100);
  ASSERT_TRUE(some);
  pool.give_back(*some);
  for (const std::size_t size : {60u, 1u, 69u}) EXPECT_TRUE(pool.take(size)) << size;
  EXPECT_EQ(pool.free(), 0u);
  EXPECT_FALSE(pool.take(1));
}

}  // namespace
}  // namespace extsort
