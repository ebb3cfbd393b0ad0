// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/parallel_reduce.hpp"
#include "weir/patterns/parallel_scan.hpp"
#include "weir/patterns/parallel_sort.hpp"

#include "networks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using weir::parallel_reduce;
using weir::parallel_scan;
using weir::parallel_sort;
using weir::schedule;

constexpr std::array schedules{schedule::automatic, schedule::fixed, schedule::dynamic, schedule::guided};

std::vector<std::string> words(std::size_t count) {
  std::vector<std::string> made(count);
  for (std::size_t i = 0; i != count; ++i) made[i] = std::to_string(i) + ",";
  return made;
}

// ---- reduce ----

TEST(parallel_reduce, combines_what_the_body_gives) {
  for (const schedule how : schedules) {
    for (const long count : {0L, 1L, 2L, 12345L}) {
      EXPECT_EQ(parallel_reduce(0L, count, 0L, [](long i) { return i * i; }, std::plus<>(), {.schedule = how}),
                (count - 1) * count * (2 * count - 1) / 6);
      EXPECT_EQ(parallel_reduce(0L, count, 0L, [](long i, long& sum) { sum += i; }, std::plus<>(), {.schedule = how}),
                count * (count - 1) / 2);
    }
  }
  EXPECT_EQ(parallel_reduce(
                5, 5, 17, [](int) { return 1; }, std::plus<>()),
            17);
}

TEST(parallel_reduce, keeps_the_order_of_what_does_not_commute) {
  const std::vector<std::string> all = words(3000);
  const std::string expected = std::accumulate(all.begin(), all.end(), std::string());
  for (const schedule how : schedules) {
    for (const std::size_t grain : {0U, 1U, 10U}) {
      EXPECT_EQ(parallel_reduce(all, std::string(), std::plus<>(), {.schedule = how, .grain = grain}), expected);
      EXPECT_EQ(parallel_reduce(0, 3000, std::string(), [&](int i) { return all[static_cast<std::size_t>(i)]; },
                                std::plus<>(), {.schedule = how, .grain = grain}),
                expected);
    }
  }
}

TEST(parallel_reduce, takes_ranges_and_bodies_that_accumulate) {
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  EXPECT_EQ(parallel_reduce(numbers, 0, std::plus<>(), weir::parallel_options{}), 499'500);
  EXPECT_EQ(parallel_reduce(
                numbers, 0L, [](int each) { return each * 2L; }, std::plus<>()),
            999'000);
  EXPECT_EQ(parallel_reduce(
                numbers, -1, [](int each) { return each; }, [](int a, int b) { return std::max(a, b); }),
            999);
  const auto histogram = parallel_reduce(
      numbers, std::vector<int>(10),
      [](int each, std::vector<int>& counts) { ++counts[static_cast<std::size_t>(each % 10)]; },
      [](std::vector<int> a, const std::vector<int>& b) {
        for (std::size_t i = 0; i != a.size(); ++i) a[i] += b[i];
        return a;
      });
  EXPECT_EQ(histogram, std::vector<int>(10, 100));
}

TEST(parallel_reduce, what_is_thrown_comes_out) {
  const auto fail = [](int, int) -> int { throw std::runtime_error("combine"); };
  EXPECT_THROW(parallel_reduce(
                   0, 100, 0, [](int i) { return i; }, fail),
               std::runtime_error);
}

// ---- scan ----

TEST(parallel_scan, is_what_one_thread_makes) {
  for (const std::size_t workers : {0U, 1U, 2U}) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 5U, 1000U}) {
      const std::vector<std::string> all = words(count);
      std::vector<std::string> expected(count);
      std::vector<std::string> made(count);
      std::inclusive_scan(all.begin(), all.end(), expected.begin());
      const std::string total =
          parallel_scan(all, made.begin(), std::string(), std::plus<>(), weir::scan::inclusive, {.workers = workers});
      EXPECT_EQ(made, expected);
      EXPECT_EQ(total, count == 0 ? "" : expected.back());
      std::exclusive_scan(all.begin(), all.end(), expected.begin(), std::string());
      made = all;
      EXPECT_EQ(
          parallel_scan(made, made.begin(), std::string(), std::plus<>(), weir::scan::exclusive, {.workers = workers}),
          total);
      EXPECT_EQ(made, expected);
    }
  }
}

TEST(parallel_scan, what_is_thrown_comes_out) {
  std::vector<int> numbers(1000, 1);
  std::atomic<int> calls{0};
  const auto fail = [&](int a, int b) {
    if (++calls == 500) throw std::runtime_error("combine");
    return a + b;
  };
  EXPECT_THROW(parallel_scan(numbers, numbers.begin(), 0, fail), std::runtime_error);
}

// ---- sort ----

template <class T, class Make, class Less = std::less<>>
void expect_sorted(std::size_t count, Make&& make, Less less = {}) {
  std::vector<T> numbers(count);
  for (std::size_t i = 0; i != count; ++i) numbers[i] = make(i);
  std::vector<T> expected = numbers;
  std::sort(expected.begin(), expected.end(), less);
  parallel_sort(numbers, less);
  EXPECT_TRUE(numbers == expected) << count;
}

TEST(parallel_sort, sorts_every_kind_of_input) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0U, 1U, 2U, 3U, 24U, 25U, 26U, 1000U, 2048U, 2049U, 50'000U, 300'000U}) {
    expect_sorted<std::uint64_t>(count, [&](std::size_t) { return random(); });
    expect_sorted<std::uint64_t>(count, [&](std::size_t) { return random() % 10; });
    expect_sorted<std::uint64_t>(count, [&](std::size_t) { return 7; });
    expect_sorted<std::uint64_t>(count, [&](std::size_t i) { return i; });
    expect_sorted<std::uint64_t>(count, [&](std::size_t i) { return count - i; });
    expect_sorted<std::uint64_t>(count, [&](std::size_t i) { return std::min(i, count - i); });  // rising, then falling
    expect_sorted<int>(
        count, [&](std::size_t) { return static_cast<int>(random()); }, std::greater<>());
    expect_sorted<double>(count, [&](std::size_t) { return static_cast<double>(random()); });
    expect_sorted<std::string>(count, [&](std::size_t) { return std::to_string(random() % 1000); });
    expect_sorted<std::uint64_t>(
        count, [&](std::size_t) { return random(); }, [](std::uint64_t a, std::uint64_t b) { return a > b; });
  }
}

// Input that an adversary makes for this very quicksort: it answers so that every pivot is bad (M.
// D. McIlroy, A killer adversary for quicksort, 1999).
TEST(parallel_sort, does_not_take_forever_on_input_made_to_hurt_it) {
  constexpr int count = 40'000;
  std::vector<int> value(count, count);  // "gas": not decided yet, and larger than all decided values
  int solid = 0;
  int candidate = 0;
  std::atomic<std::int64_t> comparisons{0};
  std::vector<int> index(count);
  std::iota(index.begin(), index.end(), 0);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  parallel_sort(index,
                [&](int a, int b) {
                  ++comparisons;
                  if (value[at(a)] == count && value[at(b)] == count) {
                    if (a == candidate) {
                      value[at(a)] = solid++;
                    } else {
                      value[at(b)] = solid++;
                    }
                  }
                  if (value[at(a)] == count) {
                    candidate = a;
                  } else if (value[at(b)] == count) {
                    candidate = b;
                  }
                  return value[at(a)] < value[at(b)];
                },
                {.workers = 1});
  EXPECT_LT(comparisons, count * 200L);
  std::vector<int> killer(count);
  for (int i = 0; i != count; ++i) killer[at(i)] = value[at(i)];
  comparisons = 0;
  parallel_sort(killer, [&](int a, int b) {
    ++comparisons;
    return a < b;
  });
  EXPECT_TRUE(std::is_sorted(killer.begin(), killer.end()));
  EXPECT_LT(comparisons, count * 200L);
}

TEST(parallel_sort, moves_what_can_not_be_copied) {
  std::vector<std::unique_ptr<int>> all;
  for (int i = 0; i != 10'000; ++i) all.push_back(std::make_unique<int>((i * 7919) % 10'007));
  parallel_sort(all, [](const auto& a, const auto& b) { return *a < *b; });
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return *a < *b; }));
}

TEST(parallel_sort, a_comparison_that_throws_comes_out) {
  std::vector<std::string> all = words(100'000);
  std::atomic<int> calls{0};
  EXPECT_THROW(parallel_sort(all,
                             [&](const std::string& a, const std::string& b) {
                               if (++calls == 150'000) throw std::runtime_error("can't compare");
                               return a < b;
                             }),
               std::runtime_error);
  EXPECT_EQ(all.size(), 100'000U);
}

TEST(parallel_sort, a_stop_request_ends_it_with_all_elements_there) {
  std::vector<int> all(200'000);
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), std::mt19937(3));
  std::stop_source stop;
  std::atomic<int> calls{0};
  EXPECT_THROW(parallel_sort(all,
                             [&](int a, int b) {
                               if (++calls == 300'000) stop.request_stop();
                               return a < b;
                             },
                             {.stop = stop.get_token()}),
               weir::stopped);
  std::sort(all.begin(), all.end());
  for (int i = 0; i != 200'000; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i);
}

}  // namespace
