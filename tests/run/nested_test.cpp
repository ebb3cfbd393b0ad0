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
#include <utility>
#include <vector>

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

/// The place and time at which a node begins a run: in the node or in a piece of a join in it,
/// before or after a drain of the run around it.
struct moment {
  bool in_a_piece;
  bool later;
};
constexpr moment moments[] = {{false, false}, {false, true}, {true, false}, {true, true}};

/// Calls `act` in the node or in a piece of a join in it.
template <class Act>
void in_place(const moment& when, Act&& act) {
  if (!when.in_a_piece) return act();
  weir::fork_join(1, [&](std::size_t, std::size_t) { act(); });
}

// A source is drained together with all that it begins, at whatever moment. It sends no item that
// is made of a part.
TEST_P(nested, a_run_of_a_source_is_drained_with_the_run_around_it) {
  for (const moment& when : moments) {
    SCOPED_TRACE(when.in_a_piece);
    SCOPED_TRACE(when.later);
    std::atomic<long> made{0};
    std::latch inside(1);
    std::latch drained(1);
    long seen = 0;
    std::vector<long> sent;
    weir::network net = weir::source([&]() -> std::optional<long> {
                          inside.count_down();
                          if (when.later) drained.wait();
                          in_place(when, [&] {
                            EXPECT_TRUE(weir::run(without_end(made) | weir::sink([&](long) { ++seen; })).drained);
                          });
                          return seen;
                        }) |
                        into(sent);
    weir::running now = weir::start(net, GetParam().options);
    inside.wait();
    now.drain();
    drained.count_down();
    EXPECT_TRUE(now.wait().drained);
    EXPECT_EQ(seen, made);
    EXPECT_TRUE(sent.empty());
  }
}

// The slots that a source written as a loop has for more items don't let it send such an item.
TEST_P(nested, a_loop_sends_no_item_that_is_made_of_a_drained_run) {
  for (const bool in_a_piece : {false, true}) {
    SCOPED_TRACE(in_a_piece);
    std::atomic<long> made{0};
    std::latch inside(1);
    std::vector<long> sent;
    weir::network net = weir::source([&](weir::outlet<long>& out) {
                          for (int round = 0;; ++round) {
                            long sum = 0;
                            in_place({in_a_piece, false}, [&] {
                              if (round < 3) {
                                weir::run(numbers(4) | weir::sink([&](long item) { sum += item; }));
                              } else {
                                inside.count_down();
                                weir::run(without_end(made) | weir::sink([&](long) { ++sum; }));
                              }
                            });
                            out.send(sum);
                          }
                        }) |
                        into(sent);
    weir::running now = weir::start(net, GetParam().options);
    inside.wait();
    now.drain();
    EXPECT_TRUE(now.wait().drained);
    EXPECT_EQ(sent, (std::vector<long>{6, 6, 6}));
  }
}

// An item whose run has ended before the drain is whole.
TEST_P(nested, items_made_of_whole_runs_are_sent_before_a_drain) {
  std::latch inside(1);
  std::atomic<long> made{0};
  std::vector<long> sent;
  weir::network net = weir::source([&, calls = 0]() mutable -> std::optional<long> {
                        long sum = 0;
                        if (++calls == 3) {
                          inside.count_down();
                          weir::run(without_end(made) | weir::sink([&](long) { ++sum; }));
                        } else {
                          weir::run(numbers(4) | weir::sink([&](long item) { sum += item; }));
                        }
                        return sum;
                      }) |
                      into(sent);
  weir::running now = weir::start(net, GetParam().options);
  inside.wait();
  now.drain();
  now.wait();
  EXPECT_EQ(sent, (std::vector<long>{6, 6}));
}

// The run of an item takes all its input, at whatever moment the drain comes.
TEST_P(nested, a_run_of_an_item_takes_all_its_input_in_a_drain) {
  for (const moment& when : moments) {
    SCOPED_TRACE(when.in_a_piece);
    SCOPED_TRACE(when.later);
    std::latch inside(1);
    std::latch drained(1);
    long sum = 0;
    const auto until_drained = [&](long item) {
      if (item == 0 && !when.later) inside.count_down(), drained.wait();
      return item;
    };
    weir::network net = numbers(1) | weir::sink([&](long) {
                          if (when.later) inside.count_down(), drained.wait();
                          in_place(when, [&] {
                            const weir::report made =
                                weir::run(weir::source([&, next = 0L]() mutable -> std::optional<long> {
                                            return next == 1000 ? std::nullopt : std::optional(until_drained(next++));
                                          }) |
                                          weir::sink([&](long item) { sum += item; }));
                            EXPECT_FALSE(made.drained);
                          });
                        });
    weir::running now = weir::start(net, GetParam().options);
    inside.wait();
    now.drain();
    drained.count_down();
    now.wait();
    EXPECT_EQ(sum, 499'500);
  }
}

// If only a drain can end it, it gets the token of the run around it.
TEST_P(nested, a_run_of_an_item_may_follow_a_drain) {
  for (const moment& when : moments) {
    std::atomic<long> made{0};
    std::latch inside(1);
    std::latch drained(1);
    weir::network net =
        numbers(1) | weir::sink([&](long, weir::context& at) {
          inside.count_down();
          if (when.later) drained.wait();
          in_place(when, [&] { weir::run(without_end(made) | weir::sink([](long) {}), {.drain = at.drain_token()}); });
        });
    weir::running now = weir::start(net, GetParam().options);
    inside.wait();
    now.drain();
    drained.count_down();
    now.wait();
  }
}

// `finish` is called in a drain as well, of sources, too, and does all its work.
TEST_P(nested, a_run_of_a_finish_takes_all_its_input_in_a_drain) {
  struct ending {
    long* sum;
    void add() const {
      weir::run(numbers(1000) | weir::sink([to = sum](long item) { *to += item; }));
    }
  };
  struct endless : ending {
    std::latch* inside;
    std::optional<long> next() {
      if (inside != nullptr) std::exchange(inside, nullptr)->count_down();
      return 1;
    }
    void finish() const { add(); }
  };
  struct taking : ending {
    void process(long) {}
    void finish() const { add(); }
  };
  std::latch inside(1);
  long first = 0;
  long last = 0;
  weir::network net = weir::source(endless{{&first}, &inside}) | weir::sink(taking{{&last}});
  weir::running now = weir::start(net, GetParam().options);
  inside.wait();
  now.drain();
  now.wait();
  EXPECT_EQ(first, 499'500);
  EXPECT_EQ(last, 499'500);
}

// The nodes of one activation may be a source and others.
TEST_P(nested, fused_neighbours_are_told_apart_in_a_drain) {
  std::atomic<long> made{0};
  std::latch inside(1);
  long sum = 0;
  weir::network net = weir::source([&, first = true]() mutable -> std::optional<long> {
                        if (std::exchange(first, false)) return 1;
                        inside.count_down();
                        weir::run(without_end(made) | weir::sink([](long) {}));
                        return 2;
                      }) |
                      weir::sink([&](long) { weir::run(numbers(1000) | weir::sink([&](long item) { sum += item; })); });
  weir::run_options options = GetParam().options;
  options.fuse = true;
  weir::running now = weir::start(net, options);
  inside.wait();
  now.drain();
  now.wait();
  EXPECT_EQ(sum, 499'500);
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
  weir::network net = weir::source([&]() -> std::optional<long> {
                        inside.count_down();
                        weir::run(without_end(made) | weir::sink([](long) {}), {.drain = own.get_token()});
                        ended = true;
                        return 1;
                      }) |
                      weir::sink([](long) {});
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
