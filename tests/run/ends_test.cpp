// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Ends of runs: errors in every place, cancellation, drain, early ends, blocking nodes, bounded
// memory.

#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/in_port.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/graph.hpp"

#include "counted.hpp"
#include "networks.hpp"
#include "run/pool.hpp"

#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <latch>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;

class ends : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(ends);

struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws in the function that `where` names.
struct fragile {
  std::string where;
  void fail(const char* here) const {
    if (where == here) throw broken("no more");
  }
  void start() { fail("start"); }
  long process(long item) {
    if (item == 500) fail("process");
    return item;
  }
  void finish() { fail("finish"); }
};

struct fragile_source {
  std::string where;
  long made = 0;
  void start() {
    if (where == "start") throw broken("no more");
  }
  std::optional<long> next() {
    if (where == "next" && made == 700) throw broken("no more");
    if (made == 1'000'000) return std::nullopt;
    return made++;
  }
  void finish() {
    if (where == "finish") throw broken("no more");
  }
};

template <class Run>
void expect_broken(Run&& run, const std::string& path) {
  try {
    run();
    FAIL() << "nothing was thrown";
  } catch (const weir::node_error& error) {
    EXPECT_EQ(error.path(), path);
    EXPECT_EQ(std::string(error.what()), path + ": no more");
    EXPECT_THROW(std::rethrow_if_nested(error), broken);
  }
}

// Each node has so many channels that it looks only at those that are marked.
TEST_P(ends, of_nodes_with_many_channels) {
  constexpr std::size_t width = weir::detail::in_port::wide + 2;
  const auto endless = [] { return weir::source([next = 0L]() mutable -> std::optional<long> { return next++; }); };
  const auto farms = [] {
    const auto pass = [](long item) { return item; };
    return weir::farm(pass, width) | weir::farm(pass, width);
  };
  for (const long wanted : {0L, 3000L}) {
    long taken = 0;
    run(endless() | farms() | weir::sink([&](long) {
          if (taken == wanted) throw weir::stopped{};
          ++taken;
        }));
    EXPECT_EQ(taken, wanted);
  }
  for (const bool drained : {false, true}) {
    std::atomic<long> taken{0};
    weir::network net = endless() | farms() | weir::sink([&](long) { ++taken; });
    weir::running now = weir::start(net, GetParam().options);
    while (taken < 1000) std::this_thread::yield();
    drained ? now.drain() : now.cancel();
    const weir::report made = now.wait();
    if (drained) {
      EXPECT_EQ(made.nodes.front().sent, static_cast<std::uint64_t>(taken));
    }
  }
}

TEST_P(ends, an_error_in_any_place_of_a_node_names_it) {
  for (const char* place : {"start", "process", "finish"}) {
    SCOPED_TRACE(place);
    expect_broken([&] { run(numbers(2000) | weir::node(fragile{place}).named("weak") | weir::sink([](long) {})); },
                  "/weak");
    expect_broken(
        [&] {
          run(numbers(200'000) | weir::farm(weir::node([](long item) { return item; }), 3) |
              weir::sink([seen = 0](long) mutable {
                if (++seen == 300) throw broken("no more");
              }).named("last"));
        },
        "/last");
  }
  for (const char* place : {"start", "next"}) {
    SCOPED_TRACE(place);
    expect_broken(
        [&] {
          run(weir::source(fragile_source{place}).named("first") | weir::farm(weir::node(fragile{""}), 2) |
              weir::sink([](long) {}));
        },
        "/first");
  }
}

TEST_P(ends, an_error_of_a_factory_names_its_node_and_nothing_has_started) {
  bool started = false;
  weir::network net = numbers(10) | weir::farm([]() -> fragile { throw broken("no more"); }, 2).named("made") |
                      weir::sink([&](long) { started = true; });
  expect_broken([&] { run(net); }, "/made[0]");
  EXPECT_FALSE(started);
}

TEST_P(ends, an_error_while_all_neighbours_are_blocked) {
  if (GetParam().options.fuse) GTEST_SKIP() << "its nodes wait for each other, which those that take turns can't";
  // While the sink waits, all nodes before it fill their channels and wait for room: at least half
  // a channel of items.
  std::latch full(1);
  expect_broken(
      [&] {
        run(weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }) |
            weir::farm([](long item) { return item; }, 3).round_robin() | weir::node([&, seen = 0](long item) mutable {
              if (++seen == 4400) full.count_down();
              return item;
            }) |
            weir::sink([&, seen = 0](long) mutable {
              if (++seen < 4000) return;
              full.wait();
              throw broken("no more");
            }).named("stuck"));
      },
      "/stuck");
}

TEST_P(ends, items_are_destroyed_after_an_error) {
  census::reset();
  EXPECT_THROW(run(weir::source([made = 0L]() mutable -> std::optional<counted> { return counted(made++); }) |
                   weir::farm([](counted item) { return item; }, 2) | weir::sink([](const counted& item) {
                     if (item.value() == 3000) throw broken("no more");
                   })),
               weir::node_error);
  EXPECT_EQ(census::alive, 0);
}

TEST_P(ends, memory_is_bounded_by_the_channels_when_the_sink_is_slow) {
  census::reset();
  long seen = 0;
  run(weir::source([made = 0L]() mutable -> std::optional<counted> {
        if (made == 50'000) return std::nullopt;
        return counted(made++);
      }) |
      weir::node([](counted item) { return item; }) | weir::sink([&](const counted&) {
        if (++seen % 1000 == 0) std::this_thread::sleep_for(1ms);  // simulates a sink slower than its source
      }));
  EXPECT_EQ(seen, 50'000);
  EXPECT_EQ(census::alive, 0);
  EXPECT_LE(census::peak, 2 * 2048 + 64);  // two channels of 32 KiB
}

TEST_P(ends, a_flat_map_into_a_slow_sink_is_bounded_too) {
  census::reset();
  run(numbers(3) | weir::node([](long, weir::outlet<counted>& out) {
        for (long i = 0; i != 20'000; ++i) out.send(counted(i));
      }) |
      weir::sink([seen = 0](const counted&) mutable {
        if (++seen % 1000 == 0) std::this_thread::sleep_for(1ms);
      }));
  EXPECT_EQ(census::alive, 0);
  EXPECT_LE(census::peak, 2048 + 64 * 1024 / 16 + 64);  // a channel and the spilled items
}

TEST_P(ends, few_items_that_own_much_memory_are_few_also_where_a_blocking_node_makes_many_at_a_time) {
  census::reset();
  long seen = 0;
  run(numbers(3) | weir::node([](long, weir::outlet<counted>& out) {
                     for (long i = 0; i != 2000; ++i) out.send(counted(i));
                   }).blocking() |
      weir::sink([&](const counted&) {
        if (++seen % 100 == 0) std::this_thread::sleep_for(1ms);
      }).capacity(3));
  EXPECT_EQ(seen, 6000);
  EXPECT_EQ(census::alive, 0);
  EXPECT_LE(census::peak, 3 + 2 * 3 + 2);  // the channel, twice as many spilled, and one in the hand of each node
}

TEST_P(ends, items_that_own_much_memory_are_few) {
  const auto sends_many = [](long, weir::outlet<large>& out) {
    for (long i = 0; i != 2000; ++i) out.send(large(i));
  };
  const auto slow = [seen = 0](const large&) mutable {
    if (++seen % 100 == 0) std::this_thread::sleep_for(1ms);
  };
  census::reset();
  run(numbers(3) | weir::node(sends_many) | weir::sink(slow).capacity(1));
  EXPECT_LE(census::peak, 1 + 1 + 2);  // the channel, one spilled, and one in the hand of each node
  census::reset();
  run(numbers(3) | weir::node(sends_many) | weir::node([](large item) { return item; }) | weir::sink(slow));
  EXPECT_LE(census::peak,
            2 * 16 + 1 + 3);  // as many as a channel takes before the engine knows how much memory they own
  // If items don't report what they own, twice as many as the channel holds are spilled.
  census::reset();
  run(numbers(3) | weir::node([](long, weir::outlet<counted>& out) {
        for (long i = 0; i != 2000; ++i) out.send(counted(i));
      }) |
      weir::sink([](const counted&) {}).capacity(3));
  EXPECT_LE(census::peak, 3 + 2 * 3 + 2);
  EXPECT_EQ(census::alive, 0);
}

TEST_P(ends, what_was_sent_before_a_node_ends_itself_arrives) {
  long seen = 0;
  run(numbers(3) | weir::node([](long, weir::outlet<long>& out) {
        for (long i = 0; i != 10; ++i) out.send(i);
        throw weir::stopped{};
      }) |
      weir::sink([&](long) { ++seen; }).capacity(2));
  EXPECT_EQ(seen, 10);
}

// A consumer may wait within its call for its own producer, as long as the items for which it waits
// fit in a third of the channel.
TEST_P(ends, a_call_may_wait_for_the_producer_to_use_a_third_of_the_channel) {
  if (GetParam().options.fuse) GTEST_SKIP() << "its nodes wait for each other, which those that take turns can't";
  for (const std::size_t capacity : {std::size_t{16}, std::size_t{1024}}) {
    std::atomic<long> made{0};
    long seen = 0;
    run(weir::source([&]() -> std::optional<long> {
          if (made == 20'000) return std::nullopt;
          return ++made;
        }) |
        weir::sink([&](long item) {
          ++seen;
          // Waits now and then, and also when the producer has found the channel full.
          if (item % 1111 != 0 || item > 19'000) return;
          const long wanted = item + static_cast<long>(capacity) / 3;
          while (made < wanted) std::this_thread::yield();
        }).capacity(capacity));
    EXPECT_EQ(seen, 20'000);
  }
}

// Every item goes to the first of two workers, in one of two sections. The empty channel of the
// second worker is of no use to the producer.
TEST_P(ends, a_node_that_waits_for_one_of_several_consumers_does_not_spin) {
  const auto section = weir::farm(weir::sink([](long) { std::this_thread::sleep_for(1ms); }).blocking(), 2)
                           .by_key([](const long&) { return 0L; })
                           .capacity(2);
  const weir::report report = run(numbers(100) | weir::farm(section, 2));
  for (const weir::node_report& node : report.nodes) EXPECT_LT(node.steps, 2000U) << node.path;
}

// The source ends while the node waits for room within its call, so the node must look at its input
// again after that call.
TEST_P(ends, the_end_of_the_input_is_seen_after_a_call_that_waited) {
  if (GetParam().options.fuse) GTEST_SKIP() << "its nodes wait for each other, which those that take turns can't";
  struct one_item {
    std::atomic<bool>* sink_is_busy;
    std::atomic<bool>* finished;
    bool sent = false;

    std::optional<long> next() {
      if (!std::exchange(sent, true)) return 1;
      sink_is_busy->wait(false);
      return std::nullopt;
    }
    void finish() {
      *finished = true;
      finished->notify_one();
    }
  };
  for (int round = 0; round != 5; ++round) {
    std::atomic<bool> sink_is_busy{false};
    std::atomic<bool> finished{false};
    long seen = 0;
    run(weir::source(one_item{&sink_is_busy, &finished}) | weir::node([](long, weir::outlet<long>& out) {
          for (long i = 0; i != 30'000; ++i) out.send(i);  // more than a channel and the spill hold
        }) |
        weir::sink([&](long) {
          if (seen++ != 0) return;
          sink_is_busy = true;
          sink_is_busy.notify_one();
          finished.wait(false);
          for (int i = 0; i != 20; ++i)
            std::this_thread::yield();  // most likely until the source has closed its channel
        }));
    ASSERT_EQ(seen, 30'000);
  }
}

TEST_P(ends, cancelling_discards_and_calls_no_finish) {
  std::atomic<bool> finished{false};
  std::atomic<long> seen{0};
  struct tail {
    std::atomic<bool>* finished;
    std::atomic<long>* seen;
    void process(long) { ++*seen; }
    void finish() { *finished = true; }
  };
  weir::network net = weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }) |
                      weir::farm([](long item) { return item; }, 3) | weir::sink(tail{&finished, &seen});
  weir::running now = weir::start(net, GetParam().options);
  while (seen < 10'000) std::this_thread::yield();
  now.cancel();
  now.wait();
  EXPECT_FALSE(finished);
}

TEST_P(ends, a_stop_token_cancels_also_while_everything_is_blocked) {
  std::stop_source stop;
  std::atomic<bool> stuck{false};
  weir::network net = weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }) |
                      weir::node([](long item, weir::outlet<long>& out) {
                        for (long i = 0; i != 20'000; ++i) out.send(item);
                      }) |
                      weir::sink([&](long, weir::context& where) {
                        stuck = true;
                        while (!where.stop_requested()) std::this_thread::yield();
                      });
  weir::run_options options = GetParam().options;
  options.stop = stop.get_token();
  weir::running now = weir::start(net, options);
  while (!stuck) std::this_thread::yield();
  stop.request_stop();
  now.wait();
}

TEST_P(ends, a_stop_requested_before_the_start_counts) {
  std::stop_source stop;
  stop.request_stop();
  weir::run_options options = GetParam().options;
  options.stop = stop.get_token();
  weir::network net =
      weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }) | weir::sink([](long) {});
  weir::run(net, options);
}

TEST_P(ends, dropping_the_handle_cancels) {
  weir::network net =
      weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }) | weir::sink([](long) {});
  (void)weir::start(net, GetParam().options);
}

TEST_P(ends, draining_ends_the_sources_and_lets_everything_finish) {
  std::atomic<long> made{0};
  std::atomic<long> sent{0};
  long seen = 0;
  bool finished = false;
  struct tail {
    long* seen;
    bool* finished;
    void process(long) { ++*seen; }
    void finish() { *finished = true; }
  };
  weir::network net = weir::set(weir::block<void, long>(weir::source([&]() -> std::optional<long> { return made++; })),
                                weir::block<void, long>(weir::source([&](weir::outlet<long>& out) {
                                  for (;;) {
                                    out.send(1);
                                    ++sent;
                                  }
                                }))) |
                      weir::farm([](long item) { return item; }, 2) | weir::sink(tail{&seen, &finished});
  weir::running now = weir::start(net, GetParam().options);
  while (made < 5000 || sent < 5000) std::this_thread::yield();
  now.drain();
  now.wait();
  EXPECT_TRUE(finished);
  EXPECT_EQ(seen, made + sent);
}

// A node that makes an item only now and then would otherwise go on for as long as its consumers
// have room.
class sends_on_when_told {
 public:
  /// Sends 100 items, waits until the run is told to end, and goes on.
  void send_to(weir::outlet<long>& out) {
    for (;;) {
      if (sent_ == 100) {
        while (!told_) std::this_thread::yield();
      }
      out.send(1);
      ++sent_;
    }
  }

  /// @return number of items sent after the run was told to end
  long after(weir::network net, const weir::run_options& options, void (weir::running::*tell)() noexcept) {
    sent_ = 0;
    told_ = false;
    weir::running now = weir::start(net, options);
    while (sent_ < 100) std::this_thread::yield();
    (now.*tell)();
    told_ = true;
    now.wait();
    EXPECT_FALSE(weir::detail::pool::shared().called().any()) << "later runs would be slow";
    return sent_ - 100;
  }

 private:
  std::atomic<long> sent_{0};
  std::atomic<bool> told_{false};
};

TEST_P(ends, a_source_written_as_a_loop_ends_before_its_next_item_but_one) {
  sends_on_when_told behind;
  const auto loop = weir::source([&](weir::outlet<long>& out) { behind.send_to(out); });
  const auto pass = [](long item) { return item; };
  const auto ignore = weir::sink([](long) {});
  for (const auto tell : {&weir::running::drain, &weir::running::cancel}) {
    EXPECT_LE(behind.after(loop | ignore, GetParam().options, tell), 1);
    EXPECT_LE(behind.after(loop | weir::tee(ignore, ignore), GetParam().options, tell), 1);
    EXPECT_LE(behind.after(loop | weir::farm(pass, 2) | ignore, GetParam().options, tell), 1);
  }
}

TEST_P(ends, a_node_that_sends_many_for_one_item_is_cancelled_before_its_next_but_one) {
  sends_on_when_told behind;
  const auto many = [&](long, weir::outlet<long>& out) { behind.send_to(out); };
  const auto ignore = [](long) {};
  const auto after = [&](weir::network net) {
    return behind.after(std::move(net), GetParam().options, &weir::running::cancel);
  };
  EXPECT_LE(after(numbers(1) | weir::node(many) | weir::sink(ignore)), 1);
  EXPECT_LE(after(numbers(1) | weir::node(many) | weir::tee(weir::sink(ignore), weir::sink(ignore))), 1);
  EXPECT_LE(after(numbers(1) | weir::fuse(many, ignore)), 1);
}

// A source makes up to some hundred cheap items in one step.
class called_until_told {
 public:
  /// The 20000th call lasts until the run is told to end.
  void call() {
    if (++calls_ != 20'000) return;
    while (!told_) std::this_thread::yield();
  }

  /// @return number of calls after the run was told to end
  long after(weir::network net, const weir::run_options& options, void (weir::running::*tell)() noexcept) {
    calls_ = 0;
    told_ = false;
    weir::running now = weir::start(net, options);
    while (calls_ < 20'000) std::this_thread::yield();
    (now.*tell)();
    told_ = true;
    now.wait();
    return calls_ - 20'000;
  }

 private:
  std::atomic<long> calls_{0};
  std::atomic<bool> told_{false};
};

TEST_P(ends, a_source_that_becomes_slow_is_called_no_more_once_the_run_is_to_end) {
  called_until_told slow;
  const auto make = weir::source([&]() -> std::optional<long> {
    slow.call();
    return 1;
  });
  const auto ignore = weir::sink([](long) {});
  for (const auto tell : {&weir::running::drain, &weir::running::cancel}) {
    EXPECT_LE(slow.after(make | ignore, GetParam().options, tell), 1);
    EXPECT_LE(slow.after(make | weir::tee(ignore, ignore), GetParam().options, tell), 1);
  }
}

TEST_P(ends, a_worker_of_an_ordered_farm_may_fail_after_a_cancel) {
  std::atomic<bool> told{false};
  std::atomic<bool> waits{false};
  const auto worker = [&](long item) {
    if (item == 5003) {
      waits = true;
      while (!told) std::this_thread::yield();
    } else if (told) {
      throw broken("no more");
    }
    return item;
  };
  const auto endless = [made = 0L]() mutable -> std::optional<long> { return made++; };
  weir::network net = weir::source(endless) | weir::farm(worker, 2).ordered() | weir::sink([](long) {});
  weir::running now = weir::start(net, GetParam().options);
  while (!waits) std::this_thread::yield();
  now.cancel();
  told = true;
  try {
    now.wait();
  } catch (const weir::node_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("no more"), std::string::npos);
  }
}

TEST_P(ends, a_consumer_that_ends_early_ends_its_producers) {
  // A behaviour that ends after ten items, in a graph with an endless source.
  struct ten final : weir::detail::behaviour {
    long taken = 0;
    weir::detail::progress step(weir::detail::ports& at, std::size_t) override {
      for (long item; at.in().try_take(&item);) {
        if (++taken == 10) return weir::detail::progress::ended;
      }
      return at.in().ended() ? weir::detail::progress::ended : weir::detail::progress::waiting_input;
    }
  };
  bool finished = false;
  struct endless {
    bool* finished;
    long made = 0;
    std::optional<long> next() { return made++; }
    void finish() { *finished = true; }
  };
  auto first = weir::source(endless{&finished});
  weir::graph g;
  const auto& long_type = weir::item_type_of<long>();
  const auto source = g.add({.path = "source",
                             .kind = "source",
                             .in = {},
                             .out = {{&long_type, {}}},
                             .traits = {},
                             .make = first.shape()->make});
  const auto taker =
      g.add({.path = "ten", .kind = "sink", .in = {{&long_type, {}}}, .out = {}, .traits = {}, .make = [] {
               return std::make_unique<ten>();
             }});
  g.connect(source, 0, taker, 0);
  run(weir::network(std::move(g)));
  EXPECT_TRUE(finished);
}

// The first worker ends while two items wait for it, which are all that its group may have. These
// items must not count any more. No send tells the producer of this end.
TEST_P(ends, a_consumer_that_ends_early_ends_a_source_that_waits_for_the_outside) {
  class waits_after_one final : public weir::detail::behaviour {
   public:
    weir::detail::progress step(weir::detail::ports& at, std::size_t) override {
      if (std::exchange(sent_, true)) return weir::detail::progress::waiting_input;
      long one = 1;
      at.out().send_relocated(&one);
      return weir::detail::progress::more;
    }

   private:
    bool sent_ = false;
  };
  run(weir::detail::behaviour_block<void, long>(
          "source", [] { return std::make_unique<waits_after_one>(); }, false) |
      weir::sink([](long) { throw weir::stopped{}; }));
}

TEST_P(ends, a_worker_that_ends_early_leaves_its_share_of_on_demand_to_its_neighbours) {
  struct worker {
    std::latch* assigned;
    std::atomic<long>* seen;
    void start(weir::context& where) const {
      if (where.index() != 0) return;
      assigned->wait();
      throw weir::stopped{};
    }
    void process(long) const { ++*seen; }
  };
  std::latch assigned(1);
  std::atomic<long> seen{0};
  run(weir::source([&, made = 0L]() mutable -> std::optional<long> {
        if (made == 3) assigned.count_down();  // the first and the third item are assigned to the first worker
        if (made == 1000) return std::nullopt;
        return made++;
      }) |
      weir::farm(weir::farm(weir::sink(worker{&assigned, &seen}).blocking(), 2), 1).on_demand(2));
  EXPECT_EQ(seen, 998);
}

// Every item goes to the first worker of a farm within a farm. The second workers, which are never
// chosen, stay until the end.
TEST_P(ends, chosen_consumers_that_have_gone_end_the_producer_though_others_are_there) {
  struct worker {
    void process(long) const { throw weir::stopped{}; }
  };
  const auto inner = weir::farm(weir::sink(worker{}), 2).by_key([](long) { return 0; });
  const auto endless = [] { return weir::source([n = 0L]() mutable -> std::optional<long> { return n++; }); };
  run(endless() | weir::farm(inner, 2));
  run(endless() | weir::farm(inner, 2).on_demand(3));
  run(endless() | weir::farm(inner, 2).round_robin());
  run(endless() | weir::farm(inner, 2).broadcast());
}

// The consumer is not chosen again while the item waits.
TEST_P(ends, a_consumer_is_chosen_once_for_an_item) {
  std::atomic<long> choices{0};
  std::atomic<long> seen{0};
  const auto slow = weir::sink([&](long) {
    if (++seen % 50 == 0) std::this_thread::sleep_for(1ms);  // simulates load, so that items wait
  });
  const auto choose = [&](const long& item, std::size_t width) {
    ++choices;
    return static_cast<std::size_t>(item) % width;
  };
  run(numbers(2000) | weir::farm(weir::farm(slow, 2).capacity(1).distribute(choose), 1).on_demand(2));
  EXPECT_EQ(seen, 2000);
  EXPECT_EQ(choices, 2000);
}

// ---- nodes that block ----

// Each node sleeps until three nodes sleep at the same time.
TEST_P(ends, nodes_that_sleep_outnumber_the_workers) {
  const auto limit = std::chrono::steady_clock::now() + 60s;
  std::atomic<int> sleeping{0};
  std::atomic<int> most{0};
  std::vector<long> seen;
  run(numbers(8) |
      weir::farm(
          [&](long item) {
            const int now = ++sleeping;
            int before = most;
            while (now > before && !most.compare_exchange_weak(before, now)) {
            }
            do {
              std::this_thread::sleep_for(1ms);  // simulates a blocking call
            } while (most <= 2 && std::chrono::steady_clock::now() < limit);
            --sleeping;
            return item;
          },
          8)
          .on_demand() |
      into(seen));
  EXPECT_EQ(seen.size(), 8U);
  EXPECT_GT(most, 2);  // blocked workers were replaced
}

TEST_P(ends, nodes_that_share_a_barrier_outnumber_the_workers) {
  std::barrier meeting(8);
  std::vector<long> seen;
  run(numbers(64) |
      weir::farm(
          [&](long item) {
            meeting.arrive_and_wait();
            return item;
          },
          8)
          .round_robin() |
      into(seen));
  EXPECT_EQ(seen.size(), 64U);
}

TEST_P(ends, nodes_that_share_a_spin_barrier_outnumber_the_workers) {
  std::atomic<int> arrived{0};
  std::vector<long> seen;
  run(numbers(8) |
      weir::farm(
          [&](long item) {
            ++arrived;
            while (arrived < 8) weir::detail::pause_thread();
            return item;
          },
          8)
          .round_robin() |
      into(seen));
  EXPECT_EQ(seen.size(), 8U);
}

TEST_P(ends, nodes_that_share_a_mutex_with_one_that_waits_downstream) {
  if (GetParam().options.fuse) GTEST_SKIP() << "its nodes wait for each other, which those that take turns can't";
  // The first node holds the mutex while it waits until the last one has seen its item.
  std::mutex shared;
  std::atomic<long> last{-1};
  run(numbers(20) | weir::node([&](long item, weir::outlet<long>& out) {
        const std::lock_guard lock(shared);
        out.send(item);
        while (last < item) std::this_thread::yield();
      }) |
      weir::node([](long item) { return item; }) | weir::sink([&](long item) { last = item; }));
  EXPECT_EQ(last, 19);
}

TEST_P(ends, blocking_nodes_hand_their_core_over) {
  std::barrier meeting(6);
  std::vector<long> seen;
  run(numbers(60) |
      weir::farm(
          [&](long item) {
            meeting.arrive_and_wait();
            return item;
          },
          6)
          .round_robin()
          .blocking() |
      into(seen));
  EXPECT_EQ(seen.size(), 60U);
}

// Spins for `time`. The nodes that are ready when a run begins were announced to idle workers,
// which may all take nodes that block.
void compute_for(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) weir::detail::pause_thread();
}

// @return whether `so()` became true within ten seconds
bool becomes(const std::function<bool()>& so) {
  const auto until = std::chrono::steady_clock::now() + 10s;
  while (!so() && std::chrono::steady_clock::now() < until) weir::detail::pause_thread();
  return so();
}

// Sends numbers from 0, so few at a time and so far apart that workers sleep in between; the last
// `together` ones are sent in one go.
auto now_and_then(long count, long together) {
  return weir::source([=](weir::outlet<long>& out) {
    for (long i = 0; i != count; ++i) {
      out.send(i);
      if (i % together == 0 && i < count - together) std::this_thread::sleep_for(1ms);
      if (i == count - together - 1) std::this_thread::sleep_for(20ms);
    }
  });
}

// Returns each item, and then computes, in the same turn, until the last item was seen.
struct waits_at_a_deadline {
  std::atomic<long>* seen;
  std::atomic<bool>* in_time;
  long last = 0;
  bool due = false;

  long process(long item) {
    compute_for(40us);
    due = item == last;
    return item;
  }
  std::chrono::steady_clock::time_point deadline() const {
    return due ? std::chrono::steady_clock::time_point::min() : std::chrono::steady_clock::time_point::max();
  }
  void on_deadline(weir::outlet<long>&) {
    due = false;
    *in_time = becomes([this] { return *seen == last; });
  }
};

TEST(what_was_returned, is_told_before_a_deadline_is_served) {
  std::atomic<long> seen{-1};
  std::atomic<bool> in_time{false};
  weir::network net =
      now_and_then(41, 1) | waits_at_a_deadline{&seen, &in_time, 40} | weir::sink([&](long item) { seen = item; });
  weir::run(net, {.workers = 2});
  EXPECT_TRUE(in_time);
}

struct takes_two_streams {
  std::atomic<long>* seen;
  std::atomic<bool>* in_time;
  long last = 0;

  long process(long item) {
    compute_for(5us);
    if (item == last + 1) *in_time = becomes([this] { return *seen == last; });
    return item;
  }
  long process(int) { return -1; }
};

TEST(what_was_returned, is_told_before_another_item_is_taken) {
  std::atomic<long> seen{-1};
  std::atomic<bool> in_time{false};
  weir::network net = weir::split(now_and_then(62, 2), weir::source([&](weir::outlet<int>& out) {
                                    out.send(1);
                                    becomes([&] { return in_time.load(); });
                                  })) |
                      weir::node<weir::streams<long, int>, long>(takes_two_streams{&seen, &in_time, 60}) |
                      weir::sink([&](long item) { seen = item; });
  weir::run(net, {.workers = 2});
  EXPECT_TRUE(in_time);
}

TEST(nodes_that_always_can_go_on, all_run) {
  std::atomic<long> first{0}, second{0};
  const auto until = std::chrono::steady_clock::now() + 10s;
  const auto over = [&] { return (first > 500 && second > 500) || std::chrono::steady_clock::now() > until; };
  const auto busy = [&](std::atomic<long>& count) {
    return weir::source([&count, over]() -> std::optional<long> {
      if (over()) return std::nullopt;
      compute_for(50us);
      return ++count;
    });
  };
  const auto nothing = [] { return weir::sink([](long) {}); };
  weir::network net = weir::split(busy(first), busy(second), weir::source([over]() -> std::optional<long> {
                                    return over() ? std::nullopt : std::optional<long>(1);
                                  })) |
                      weir::split(nothing(), nothing(), nothing().capacity(1));
  weir::run(net, {.workers = 1});
  EXPECT_GT(first, 500);
  EXPECT_GT(second, 500);
}

TEST(blocking_nodes, hand_their_cores_over_from_the_first_moment) {
  for (int round = 0; round != 10; ++round) {
    std::barrier meeting(64);
    std::vector<long> seen;
    weir::network net = numbers(64) |
                        weir::farm(
                            [&](long item) {
                              meeting.arrive_and_wait();
                              return item;
                            },
                            64)
                            .round_robin() |
                        into(seen);
    weir::run(net, {.workers = 2});
    EXPECT_EQ(seen.size(), 64U);
  }
}

TEST(thread_limit, is_a_named_error_and_not_a_hang) {
  std::atomic<bool> over{false};
  weir::network net = numbers(64) |
                      weir::farm(
                          [&](long item, weir::context& where) {
                            while (!over && !where.stop_requested()) std::this_thread::sleep_for(1ms);
                            return item;
                          },
                          64)
                          .round_robin() |
                      weir::sink([&](long) {});
  try {
    weir::run(net, {.workers = 2, .max_threads = 8});
    FAIL() << "nothing was thrown";
  } catch (const weir::node_error& error) {
    EXPECT_NE(std::string(error.what()).find("max_threads"), std::string::npos) << error.what();
  }
}

// The two nodes that have all the threads come back at the moment at which the third one is given
// up.
TEST(thread_limit, is_an_error_also_while_the_blocked_nodes_come_back) {
  for (int round = 0; round != 20; ++round) {
    weir::network net = numbers(3) |
                        weir::farm(
                            [](long item, weir::context& where) {
                              while (!where.stop_requested()) std::this_thread::sleep_for(1ms);
                              return item;
                            },
                            3)
                            .round_robin() |
                        weir::sink([](long) {});
    EXPECT_THROW(weir::run(net, {.workers = 1, .max_threads = 2}), weir::node_error);
  }
}

TEST(thread_limit, is_an_error_where_each_node_needs_a_thread) {
  weir::network net = weir::source([](weir::context& where) -> std::optional<long> {
                        while (!where.stop_requested()) std::this_thread::yield();
                        return std::nullopt;
                      }) |
                      weir::farm([](long item) { return item; }, 64) | weir::sink([](long) {});
  EXPECT_THROW(weir::run(net, {.executor = weir::executor::threads, .max_threads = 16}), weir::node_error);
}

TEST_P(ends, networks_run_beside_each_other_and_inside_nodes) {
  std::vector<std::jthread> callers;
  std::atomic<long> total{0};
  for (int i = 0; i != 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round != 5; ++round) {
        std::vector<long> seen;
        run(numbers(1000) | weir::farm([](long item) { return item; }, 2) | into(seen));
        total += static_cast<long>(seen.size());
      }
    });
  }
  callers.clear();
  EXPECT_EQ(total, 20'000);
  long inner = 0;
  run(numbers(5) | weir::sink([&](long) {
        std::vector<long> seen;
        weir::network net = numbers(100) | weir::node([](long item) { return item; }) | into(seen);
        weir::run(net);
        inner += static_cast<long>(seen.size());
      }));
  EXPECT_EQ(inner, 500);
}

TEST_P(ends, the_report_counts_every_item_and_channel) {
  std::vector<long> seen;
  const weir::report report =
      run(numbers(1000) | weir::farm([](long item) { return item; }, 3).named("work") | into(seen));
  ASSERT_EQ(report.nodes.size(), 5U);
  EXPECT_EQ(report.nodes[0].items, 1000U);
  EXPECT_EQ(report.nodes[0].sent, 1000U);
  EXPECT_EQ(report.nodes[1].items + report.nodes[2].items + report.nodes[3].items, 1000U);
  EXPECT_EQ(report.nodes[4].items, 1000U);
  EXPECT_EQ(report.nodes[1].path, "/work[0]");
  EXPECT_EQ(report.channels.size(), 6U);
  EXPECT_GT(report.wall.count(), 0);
  EXPECT_NE(weir::to_table(report).find("/work[2]"), std::string::npos);
  EXPECT_NE(weir::to_json(report).find("\"waiting_room_ns\""), std::string::npos);
}

// The node neither sends nor checks whether it must end, until `on_waiting` is called: a source, or
// in a drain also a node with an item at hand. All runs wait during the same second.
TEST_P(ends, a_node_without_an_end_is_named) {
  const auto name_it = [&](bool is_source, void (weir::running::*end)() noexcept) {
    std::atomic<bool> begun{false};
    std::atomic<bool> told{false};
    std::string named;
    weir::run_options options = GetParam().options;
    options.on_waiting = [&](std::string_view path) {
      named = path;
      told = true;
      told.notify_all();
    };
    const auto wait = [&] {
      begun = true;
      begun.notify_all();
      told.wait(false);
    };
    const weir::block<void, long> begin =
        weir::source([&](weir::outlet<long>& out) { is_source ? wait() : out.send(1); });
    weir::network net = begin.named(is_source ? "endless" : "begin") |
                        weir::sink([&](long) { wait(); }).named(is_source ? "sink" : "endless");
    weir::running now = weir::start(net, options);
    begun.wait(false);
    (now.*end)();
    now.wait();
    EXPECT_EQ(named, "/endless");
  };
  const std::jthread first([&] { name_it(true, &weir::running::cancel); });
  const std::jthread second([&] { name_it(false, &weir::running::drain); });
  name_it(true, &weir::running::drain);
}

// The item that the node sends from `finish` goes to another consumer than the item whose consumer
// was gone.
TEST_P(ends, a_consumer_that_has_gone_takes_no_later_items_with_it) {
  struct sender {
    void process(long item, weir::outlet<long>& out) { out.send(item * 2); }
    void finish(weir::outlet<long>& out) { out.send(1); }
  };
  std::atomic<long> odd{0};
  run(weir::source([]() -> std::optional<long> { return 1; }) | sender{} |
      weir::farm(weir::sink([&](long item) {
                   if (item % 2 == 0) throw weir::stopped{};
                   ++odd;
                 }),
                 2)
          .distribute([](const long& item, std::size_t) { return static_cast<std::size_t>(item) % 2; }));
  EXPECT_EQ(odd.load(), 1);
}

}  // namespace
