// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/parallel_for.hpp"

#include "weir/run/fork_join.hpp"

#include "cancelled.hpp"
#include "networks.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;
using weir::parallel_for;
using weir::parallel_options;
using weir::schedule;

constexpr std::array schedules{schedule::automatic, schedule::fixed, schedule::dynamic, schedule::guided};

class parallel_loop : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(parallel_loop);

TEST(parallel_for, calls_the_body_once_for_each_index) {
  for (const schedule how : schedules) {
    for (const std::size_t grain : {std::size_t{0}, std::size_t{1}, std::size_t{7}, ~std::size_t{0}}) {
      for (const std::size_t workers : {0U, 1U, 2U}) {
        for (const int count : {0, 1, 2, 3, 1000}) {
          std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
          parallel_for(0, count, [&](int i) { ++calls[static_cast<std::size_t>(i)]; },
                       {.schedule = how, .grain = grain, .workers = workers});
          for (const auto& each : calls) ASSERT_EQ(each, 1);
        }
      }
    }
  }
}

TEST(parallel_for, steps_up_and_down) {
  const auto indices = [](auto first, auto last, auto step) {
    std::vector<int> seen;
    parallel_for(first, last, step, [&](auto i) { seen.push_back(static_cast<int>(i)); }, {.workers = 1});
    return seen;
  };
  using list = std::vector<int>;
  EXPECT_EQ(indices(0, 10, 3), (list{0, 3, 6, 9}));
  EXPECT_EQ(indices(0, 9, 3), (list{0, 3, 6}));
  EXPECT_EQ(indices(10, 0, -3), (list{10, 7, 4, 1}));
  EXPECT_EQ(indices(-5, 5, 5), (list{-5, 0}));
  EXPECT_EQ(indices(5, 5, 1), list{});
  EXPECT_EQ(indices(5, 0, 1), list{});
  EXPECT_EQ(indices(0, 5, -1), list{});
  EXPECT_EQ(indices(std::int8_t{-128}, std::int8_t{127}, std::int8_t{100}), (list{-128, -28, 72}));
  EXPECT_EQ(indices(std::uint8_t{250}, std::uint8_t{255}, 2), (list{250, 252, 254}));
  EXPECT_EQ(indices(3U, 0U, -1), (list{3, 2, 1}));
  EXPECT_EQ(indices(std::uint8_t{9}, std::uint8_t{0}, -4L), (list{9, 5, 1}));
  EXPECT_EQ(indices(0, 5, std::int64_t{1} << 40), list{0});
  EXPECT_THROW(indices(0, 5, 0), std::invalid_argument);
  EXPECT_THROW(indices(-1, 5U, 1), std::invalid_argument);
  EXPECT_THROW(indices(5U, -1, -1), std::invalid_argument);
}

TEST(parallel_for, reaches_the_ends_of_an_index_type) {
  using limits = std::numeric_limits<std::int64_t>;
  std::atomic<int> calls{0};
  parallel_for(limits::min(), limits::max(), limits::max(), [&](std::int64_t) { ++calls; });
  EXPECT_EQ(calls, 3);
  calls = 0;
  parallel_for(limits::max() - 2, limits::max(), [&](std::int64_t) { ++calls; });
  EXPECT_EQ(calls, 2);
}

TEST(parallel_for, shares_more_indices_than_half_a_word_counts) {
  std::atomic<std::uint64_t> chunks{0};
  std::atomic<std::uint64_t> indices{0};
  constexpr std::size_t count = (std::size_t{1} << 40) + 12345;
  weir::detail::for_chunks(count, {}, [&](const weir::detail::chunk& some) {
    ++chunks;
    indices += some.end - some.begin;
  });
  EXPECT_EQ(indices, count);
  EXPECT_GT(chunks, 1U);
}

TEST(parallel_for, takes_ranges_and_iterators) {
  std::vector<int> numbers(1000, 1);
  parallel_for(numbers, [](int& each) { each += 1; });
  parallel_for(std::span(numbers).first(500), [](int& each) { each += 1; });
  parallel_for(numbers.begin(), numbers.begin() + 10, [](int& each) { each += 1; });
  parallel_for(numbers.begin() + 10, numbers.begin(), [](int& each) { each += 100; });
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 4), 10);
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 3), 490);
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 2), 500);
  const std::deque<int> empty;
  parallel_for(empty, [](const int&) { FAIL(); });
}

TEST(parallel_for, takes_two_and_three_dimensions) {
  for (const schedule how : schedules) {
    std::vector<std::atomic<int>> calls(7 * 11 * 13);
    parallel_for(weir::index_space(7, 11, 13),
                 [&](std::size_t i, std::size_t j, std::size_t k) { ++calls[(i * 11 + j) * 13 + k]; },
                 {.schedule = how});
    for (const auto& each : calls) ASSERT_EQ(each, 1);
  }
  std::atomic<long> sum{0};
  parallel_for(weir::index_space(100, 3), [&](std::size_t i, std::size_t j) { sum += static_cast<long>(i * j); });
  EXPECT_EQ(sum, 4950 * 3);
  parallel_for(weir::index_space(5, 0), [](std::size_t, std::size_t) { FAIL(); });
  EXPECT_THROW(weir::index_space(5, -1), std::invalid_argument);
  constexpr std::size_t huge = std::size_t{1} << 32;
  EXPECT_THROW(weir::index_space(huge, huge), std::invalid_argument);
  EXPECT_EQ(weir::index_space(huge, huge, 0).size(), 0U);
  EXPECT_EQ(weir::index_space(0, huge, huge).size(), 0U);
}

TEST(parallel_for, tells_which_worker_runs) {
  std::vector<std::atomic<int>> inside(weir::concurrency());
  std::atomic<bool> wrong{false};
  parallel_for(0, 3000,
               [&](int i, weir::worker_index worker) {
                 if (worker >= inside.size() || inside[worker].fetch_add(1) != 0) wrong = true;
                 if (i % 10 == 0) std::this_thread::yield();
                 --inside[worker];
               },
               {.schedule = schedule::dynamic});
  EXPECT_FALSE(wrong);
  parallel_for(weir::index_space(2, 2), [&](std::size_t, std::size_t, weir::worker_index worker) {
    if (worker >= weir::concurrency()) wrong = true;
  });
  EXPECT_FALSE(wrong);
}

TEST(parallel_for, what_the_body_throws_comes_out_and_ends_the_loop) {
  for (const schedule how : schedules) {
    std::atomic<long> calls{0};
    EXPECT_THROW(parallel_for(0L, 100'000'000L,
                              [&](long i) {
                                ++calls;
                                if (i == 5) throw std::runtime_error("five");
                              },
                              {.schedule = how, .grain = 100}),
                 std::runtime_error);
    EXPECT_LT(calls, 100'000'000);
  }
}

TEST(parallel_for, a_stop_request_ends_it) {
  for (const schedule how : schedules) {
    std::stop_source stop;
    std::atomic<long> calls{0};
    EXPECT_THROW(parallel_for(0L, 100'000'000L,
                              [&](long) {
                                if (++calls == 1000) stop.request_stop();
                              },
                              {.schedule = how, .grain = 100, .stop = stop.get_token()}),
                 weir::stopped);
    EXPECT_LT(calls, 100'000'000);
    EXPECT_THROW(parallel_for(0, 0, [](int) {}, {.stop = stop.get_token()}), weir::stopped);
  }
}

TEST(parallel_for, nests) {
  std::vector<std::atomic<int>> calls(100 * 100);
  parallel_for(0, 100,
               [&](int i) { parallel_for(0, 100, [&](int j) { ++calls[static_cast<std::size_t>(i * 100 + j)]; }); });
  for (const auto& each : calls) ASSERT_EQ(each, 1);
}

// At any time all bodies run on the workers of the run and on the threads of its nodes; no other
// threads are started.
// Other programs may hold up a thread in the middle of a loop. It then counts as asleep, and
// another thread takes its core. So one run of many has to get by with its workers.
TEST_P(parallel_loop, within_nodes_shares_the_threads_of_the_run) {
  std::atomic<int> most{0};
  const auto run_once = [&] {
    std::atomic<int> inside{0};
    std::atomic<long> sum{0};
    most = 0;
    run(numbers(50) |
        weir::farm(
            [&](long item) {
              parallel_for(0, 64, [&](int i) {
                const int now = ++inside;
                for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
                }
                sum += i;
                --inside;
              });
              return item;
            },
            4) |
        weir::sink([](long) {}));
    EXPECT_EQ(sum, 50 * 64 * 63 / 2);
  };
  run_once();
  if (GetParam().options.executor != weir::executor::pool) return;
  const int workers = static_cast<int>(GetParam().options.workers);
  for (int runs = 1; most > workers && runs != 100; ++runs) run_once();
  EXPECT_LE(most, workers);
}

TEST_P(parallel_loop, ends_when_the_run_is_cancelled) {
  for (const schedule how : schedules) {
    EXPECT_TRUE(is_stopped_when_cancelled(GetParam().options, [&](std::atomic<bool>& inside) {
      parallel_for(0L, 100'000'000L, [&](long) { inside = true; }, {.schedule = how, .grain = 64});
    }));
  }
}

}  // namespace
