// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Runs within nodes, and nodes that wait for other things: the end of the outer run reaches them.

#include "weir/run/fork_join.hpp"

#include "networks.hpp"

#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

using namespace weir_test;

class nested : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(nested);

auto without_end(std::atomic<long>& made) {
  return weir::source([&made]() -> std::optional<long> { return made++; });
}

// Runs `inner` in a node of a network, and in a piece of a join in a node. Calls `end` when the run
// is under way.
template <class Inner, class End>
void within_a_node(const weir::run_options& options, Inner&& inner, End&& end) {
  for (const bool in_a_piece : {false, true}) {
    SCOPED_TRACE(in_a_piece);
    std::atomic<bool> ended{false};
    weir::network net = numbers(1) | weir::sink([&](long) {
                          if (in_a_piece) {
                            weir::fork_join(1, [&](std::size_t, std::size_t) { inner(); });
                          } else {
                            inner();
                          }
                          ended = true;
                        });
    weir::running now = weir::start(net, options);
    end(now);
    now.wait();
    EXPECT_TRUE(ended);
  }
}

TEST_P(nested, a_run_is_cancelled_with_the_run_around_it) {
  std::atomic<long> made{0};
  within_a_node(
      GetParam().options, [&] { weir::run(without_end(made) | weir::sink([](long) {})); },
      [&](weir::running& outer) {
        const long before = made;
        while (made == before) std::this_thread::yield();
        outer.cancel();
      });
}

TEST_P(nested, a_run_is_drained_with_the_run_around_it) {
  std::atomic<long> made{0};
  long seen = 0;
  within_a_node(
      GetParam().options, [&] { weir::run(without_end(made) | weir::sink([&](long) { ++seen; })); },
      [&](weir::running& outer) {
        const long before = made;
        while (made == before) std::this_thread::yield();
        outer.drain();
      });
  EXPECT_EQ(seen, made);
}

TEST_P(nested, a_run_that_begins_after_the_end_was_asked_for_ends_at_once) {
  std::atomic<long> made{0};
  std::latch inside(1);
  std::latch cancelled(1);
  weir::network net = numbers(1) | weir::sink([&](long) {
                        inside.count_down();
                        cancelled.wait();
                        weir::run(without_end(made) | weir::sink([](long) {}));
                      });
  weir::running now = weir::start(net, GetParam().options);
  inside.wait();
  now.cancel();
  cancelled.count_down();
  now.wait();
}

// Items that sources have sent before the drain are still processed, each by a run of its own.
TEST_P(nested, a_run_that_begins_after_a_drain_takes_all_its_input) {
  constexpr long items = 20;
  std::latch inside(1);
  std::latch drained(1);
  long sum = 0;
  weir::network net = weir::source([](weir::outlet<long>& out) {
                        for (long i = 0; i != items; ++i) out.send(i);
                      }) |
                      weir::sink([&, first = true](long) mutable {
                        if (std::exchange(first, false)) {
                          inside.count_down();
                          drained.wait();
                        }
                        weir::run(numbers(4) | weir::sink([&](long n) { sum += n; }));
                      });
  weir::running now = weir::start(net, GetParam().options);
  inside.wait();
  now.drain();
  drained.count_down();
  const weir::report made = now.wait();
  EXPECT_EQ(sum, 6 * static_cast<long>(made.nodes.back().items));
  EXPECT_GE(made.nodes.back().items, 1U);
}

TEST_P(nested, a_run_with_a_drain_token_of_its_own_is_drained_by_that_alone) {
  std::stop_source own;
  std::atomic<long> made{0};
  std::latch inside(1);
  std::atomic<bool> ended{false};
  weir::network net = numbers(1) | weir::sink([&](long) {
                        inside.count_down();
                        weir::run(without_end(made) | weir::sink([](long) {}), {.drain = own.get_token()});
                        ended = true;
                      });
  weir::running now = weir::start(net, GetParam().options);
  inside.wait();
  now.drain();
  const long before = made;
  while (made < before + 1000) std::this_thread::yield();
  EXPECT_FALSE(ended);
  own.request_stop();
  now.wait();
  EXPECT_TRUE(ended);
}

TEST_P(nested, a_run_is_cancelled_when_the_run_around_it_fails) {
  std::atomic<long> made{0};
  const auto failing = weir::source([&]() -> std::optional<long> {
                         while (made == 0) std::this_thread::yield();
                         throw std::runtime_error("no more");
                       }).separate();
  const auto working = numbers(1) | weir::node([&](long item) {
                                      weir::run(without_end(made) | weir::sink([](long) {}));
                                      return item;
                                    }).separate();
  weir::run_options options = GetParam().options;
  if (options.workers == 1) options.workers = 2;
  EXPECT_THROW(weir::run(weir::merge(failing, working) | weir::sink([](long) {}), options), weir::node_error);
}

// This holds for later runs of the same network as well, which have other stop tokens.
TEST_P(nested, a_node_that_waits_for_something_else_is_woken_by_its_token) {
  std::mutex mutex;
  std::condition_variable_any nothing_comes;
  std::latch* waits = nullptr;
  weir::network net =
      weir::source([]() -> std::optional<long> { return 1; }) | weir::sink([&](long, weir::context& at) {
        std::unique_lock lock(mutex);
        waits->count_down();
        EXPECT_FALSE(nothing_comes.wait(lock, at.stop_token(), [] { return false; }));
      });
  for (int times = 0; times != 3; ++times) {
    std::latch begun(1);
    waits = &begun;
    weir::running now = weir::start(net, GetParam().options);
    begun.wait();
    now.cancel();
    now.wait();
  }
}

TEST_P(nested, a_source_that_waits_for_something_else_is_woken_by_its_drain_token) {
  std::mutex mutex;
  std::condition_variable_any nothing_comes;
  std::latch waits(1);
  weir::network net = weir::source([&](weir::outlet<long>& out, weir::context& at) {
                        std::unique_lock lock(mutex);
                        waits.count_down();
                        EXPECT_FALSE(nothing_comes.wait(lock, at.drain_token(), [] { return false; }));
                        EXPECT_FALSE(at.stop_token().stop_requested());
                        static_cast<void>(out);
                      }) |
                      weir::sink([](long) {});
  weir::running now = weir::start(net, GetParam().options);
  waits.wait();
  now.drain();
  now.wait();
}

// The thread that cancels holds no lock that a callback could need.
TEST_P(nested, a_callback_may_ask_for_a_report) {
  weir::running* handle = nullptr;
  std::latch known(1);
  std::latch waits(1);
  std::atomic<bool> asked{false};
  weir::network net = numbers(1) | weir::sink([&](long, weir::context& at) {
                        known.wait();
                        const std::stop_callback ask(at.stop_token(), [&] {
                          EXPECT_EQ(handle->report_so_far().nodes.size(), 2U);
                          asked = true;
                        });
                        waits.count_down();
                        while (!asked) std::this_thread::yield();
                      });
  weir::running now = weir::start(net, GetParam().options);
  handle = &now;
  known.count_down();
  waits.wait();
  now.cancel();
  now.wait();
}

}  // namespace
