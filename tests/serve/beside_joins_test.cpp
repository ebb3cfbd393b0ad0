// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Items and requests that come while a worker of the pool searches and finds pieces of a parallel
// loop first. The test needs two workers to show the problem; the process-wide pool has one for
// each core.

#include "weir/run/fork_join.hpp"
#include "weir/serve/accelerator.hpp"
#include "weir/serve/server.hpp"
#include "weir/weir.hpp"

#include "stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using namespace weir_test;

void pause_for(unsigned spins) {
  for (; spins != 0; --spins) weir::detail::pause_thread();
}

// Waits until all workers sleep, which they do after some searches.
void let_workers_sleep(disturbance&) { std::this_thread::sleep_for(std::chrono::microseconds(300)); }

// Each piece sends a request and waits for the answer. Both workers do so if the loop is the first
// work that they find.
void ask_beside_loops(unsigned seed, long rounds, void (&between)(disturbance&)) {
  disturbance random(seed);
  auto server = weir::serve(weir::node([](long item) { return item + 1; }));
  for (long round = 0; round != rounds; ++round) {
    between(random);
    auto first = server.request(1);
    while (!first.ready())
      weir::detail::pause_thread();  // a worker has woken for this request; now it searches for a while
    pause_for(random.below(60));
    auto second = server.request(2);
    weir::fork_join(2, [&](std::size_t piece, std::size_t) {
      const long asked = static_cast<long>(piece);
      EXPECT_EQ(server.request(asked).get(), asked + 1);
    });
    EXPECT_EQ(second.get(), 3);
  }
}

// The pieces last until the item has come through.
void send_beside_loops(unsigned seed, int rounds, void (&between)(disturbance&)) {
  disturbance random(seed);
  auto through = weir::start(weir::node([](long item) { return item; }));
  std::atomic<int> begun{0};  // rounds
  std::atomic<int> ended{0};
  std::atomic<int> arrived{0};
  std::atomic<unsigned> before_loop{0};
  std::thread loops([&] {
    for (int round = 1; round <= rounds; ++round) {
      while (begun.load() != round) weir::detail::pause_thread();
      pause_for(before_loop);
      weir::fork_join(2, [&](std::size_t, std::size_t) {
        while (arrived.load() != round) std::this_thread::yield();
      });
      ended = round;
    }
  });
  for (int round = 1; round <= rounds; ++round) {
    between(random);
    before_loop = random.below(600);
    through.send(1);
    EXPECT_EQ(through.receive(), 1);
    begun = round;
    pause_for(random.below(600));
    through.send(2);
    EXPECT_EQ(through.receive(), 2);
    arrived = round;
    while (ended.load() != round) std::this_thread::yield();
  }
  loops.join();
}

TEST(beside_joins, a_request_is_taken_although_a_searching_worker_takes_a_piece) {
  stress(4, [](unsigned seed) { ask_beside_loops(seed, 100, let_workers_sleep); });
}

TEST(beside_joins, an_item_is_taken_although_a_searching_worker_takes_a_piece) {
  stress(4, [](unsigned seed) { send_beside_loops(seed, 100, let_workers_sleep); });
}

// A lost wake-up may take 10^5 rounds to show, so these go on for half a minute each. One of our
// builds does that.
#ifdef WEIR_EXPLORE
// Waits for less time most often: some workers sleep, others still search.
void let_some_sleep(disturbance& random) { pause_for(random.below(5000)); }

template <class Round>
void for_half_a_minute(Round&& round) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  stress(1'000'000, [&](unsigned seed) {
    round(seed);
    return std::chrono::steady_clock::now() < until;
  });
}

TEST(long_beside_joins, requests_are_taken_in_many_rounds) {
  for_half_a_minute([](unsigned seed) { ask_beside_loops(seed, 5000, let_some_sleep); });
}

TEST(long_beside_joins, items_are_taken_in_many_rounds) {
  for_half_a_minute([](unsigned seed) { send_beside_loops(seed, 5000, let_some_sleep); });
}
#endif

}  // namespace
