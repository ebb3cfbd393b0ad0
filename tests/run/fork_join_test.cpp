// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/run/fork_join.hpp"

#include "cancelled.hpp"
#include "networks.hpp"
#include "stress.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;

class fork_join : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(fork_join);

TEST(fork_join, runs_every_piece_once) {
  for (const std::size_t pieces : {0U, 1U, 2U, 3U, 1000U}) {
    std::vector<std::atomic<int>> calls(pieces);
    weir::fork_join(pieces, [&](std::size_t piece, std::size_t) { ++calls[piece]; });
    for (const auto& each : calls) EXPECT_EQ(each, 1);
  }
}

TEST(fork_join, no_two_workers_have_the_same_number_at_a_time) {
  std::vector<std::atomic<int>> inside(weir::concurrency());
  std::atomic<bool> wrong{false};
  weir::fork_join(2000, [&](std::size_t, std::size_t worker) {
    if (worker >= inside.size() || inside[worker].fetch_add(1) != 0) wrong = true;
    std::this_thread::yield();
    --inside[worker];
  });
  EXPECT_FALSE(wrong);
}

// As many pieces as workers wait for each other, so each piece needs a thread of its own.
TEST(fork_join, every_worker_takes_part) {
  const std::size_t all = weir::concurrency();
  for (int round = 0; round != 200; ++round) {
    std::atomic<std::size_t> there{0};
    std::mutex mutex;
    std::set<std::thread::id> threads;
    weir::fork_join(all, [&](std::size_t, std::size_t) {
      ++there;
      while (there != all) std::this_thread::yield();
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
    ASSERT_EQ(threads.size(), all);
    ASSERT_TRUE(threads.contains(std::this_thread::get_id()));
  }
}

TEST(fork_join, nests) {
  std::atomic<long> calls{0};
  weir::fork_join(7, [&](std::size_t, std::size_t) {
    weir::fork_join(5,
                    [&](std::size_t, std::size_t) { weir::fork_join(3, [&](std::size_t, std::size_t) { ++calls; }); });
  });
  EXPECT_EQ(calls, 7 * 5 * 3);
}

TEST(fork_join, what_a_piece_throws_comes_out_and_others_are_not_begun) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::atomic<int> begun{0};
  try {
    weir::fork_join(100'000, [&](std::size_t piece, std::size_t) {
      if (piece == 3) throw std::out_of_range("piece 3");
      // The thread of the piece that throws may lose its core before it does so; all other pieces
      // would be done by then.
      if (++begun < 1000 || piece < 3) return;
      while (!weir::join_fails() && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    });
    FAIL() << "nothing was thrown";
  } catch (const std::out_of_range& problem) {
    EXPECT_STREQ(problem.what(), "piece 3");
  }
  EXPECT_LT(begun, 99'999);
  EXPECT_FALSE(weir::join_fails());
}

TEST(fork_join, what_a_nested_piece_throws_passes_through) {
  EXPECT_THROW(weir::fork_join(4,
                               [&](std::size_t, std::size_t) {
                                 weir::fork_join(4, [](std::size_t piece, std::size_t) {
                                   if (piece == 2) throw std::runtime_error("inside");
                                 });
                               }),
               std::runtime_error);
}

TEST(fork_join, a_long_piece_can_see_that_another_has_thrown) {
  if (weir::concurrency() < 2) GTEST_SKIP() << "needs two workers";
  std::atomic<bool> waits{false};
  EXPECT_THROW(weir::fork_join(2,
                               [&](std::size_t piece, std::size_t) {
                                 if (piece == 0) {
                                   waits = true;
                                   while (!weir::join_fails()) std::this_thread::yield();
                                   return;
                                 }
                                 while (!waits) std::this_thread::yield();
                                 throw std::runtime_error("enough");
                               }),
               std::runtime_error);
}

TEST(fork_join, a_nested_join_ends_when_a_piece_around_it_throws) {
  if (weir::concurrency() < 2) GTEST_SKIP() << "needs two workers";
  std::atomic<bool> inside{false};
  EXPECT_THROW(weir::fork_join(2,
                               [&](std::size_t piece, std::size_t) {
                                 if (piece == 0) {
                                   while (!inside) std::this_thread::yield();
                                   throw std::runtime_error("around");
                                 }
                                 weir::fork_join(1'000'000'000, [&](std::size_t, std::size_t) {
                                   inside = true;
                                   std::this_thread::yield();
                                 });
                               }),
               std::runtime_error);
}

TEST_P(fork_join, works_within_a_node) {
  long sum = 0;
  run(numbers(300) |
      weir::farm(
          [](long item) {
            std::atomic<long> pieces{0};
            weir::fork_join(10, [&](std::size_t piece, std::size_t) { pieces += static_cast<long>(piece); });
            return pieces + item;
          },
          3) |
      weir::sink([&](long item) { sum += item; }));
  EXPECT_EQ(sum, 300 * 45 + 300 * 299 / 2);
}

TEST_P(fork_join, a_cancelled_run_ends_it_with_stopped) {
  std::atomic<long> pieces{0};
  EXPECT_TRUE(is_stopped_when_cancelled(GetParam().options, [&](std::atomic<bool>& inside) {
    weir::fork_join(1'000'000'000, [&](std::size_t, std::size_t) {
      inside = true;
      ++pieces;
      std::this_thread::yield();
    });
  }));
  EXPECT_LT(pieces, 1'000'000'000);
}

// Nodes that wait for the result of a join in another node occupy all cores. The thread of that
// node must complete the join alone.
TEST_P(fork_join, needs_no_free_worker) {
  std::atomic<bool> made{false};
  std::atomic<int> waiting{0};
  constexpr int others = 4;
  const auto waiter = [&](long item) {
    ++waiting;
    while (!made) std::this_thread::yield();
    return item;
  };
  const auto maker = [&](long item) {
    while (waiting != others) std::this_thread::yield();
    weir::fork_join(8, [](std::size_t, std::size_t) { std::this_thread::yield(); });
    made = true;
    return item;
  };
  std::vector<long> seen;
  run(weir::source([left = others + 1]() mutable -> std::optional<long> {
        return left-- == 0 ? std::nullopt : std::optional<long>(left);
      }) |
      weir::farm([=](long item) { return item == others ? maker(item) : waiter(item); }, others + 1).round_robin() |
      into(seen));
  EXPECT_EQ(seen.size(), others + 1U);
}

TEST(fork_join_stress, joins_in_joins_from_many_threads) {
  stress(6, [](unsigned seed) {
    std::vector<std::jthread> callers;
    for (unsigned caller = 0; caller != 6; ++caller) {
      callers.emplace_back([=] {
        disturbance random(seed * 100 + caller);
        for (int round = 0; round != 150; ++round) {
          const std::size_t pieces = random.below(12);
          const bool deep = random.one_in(3);
          const unsigned thrower = random.one_in(5) ? random.below(12) : 1000;
          const unsigned inner_seed = random.below(1'000'000);
          std::atomic<std::size_t> done{0};
          bool thrown = false;
          try {
            weir::fork_join(pieces, [&](std::size_t piece, std::size_t) {
              disturbance inner(inner_seed + static_cast<unsigned>(piece));
              inner.pause();
              if (deep) {
                std::atomic<int> nested{0};
                weir::fork_join(3, [&](std::size_t, std::size_t) { ++nested; });
                if (nested != 3) throw std::logic_error("a nested piece is missing");
              }
              if (piece == thrower) throw std::runtime_error("on purpose");
              ++done;
            });
          } catch (const std::runtime_error&) {
            thrown = true;
          }
          ASSERT_EQ(thrown, thrower < pieces);
          if (!thrown) {
            ASSERT_EQ(done, pieces);
          }
        }
      });
    }
  });
}

}  // namespace
