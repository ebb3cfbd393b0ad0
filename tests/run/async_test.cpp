// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Asynchronous nodes: they work at several items at a time, without a thread for each.

#include "weir/blocks/async.hpp"

#include "elsewhere.hpp"
#include "networks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;

class async_nodes : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(async_nodes);

// Number of operations under way, and its maximum.
struct census {
  std::atomic<long> now{0};
  std::atomic<long> most{0};
  void enter() {
    const long inside = ++now;
    for (long known = most; known < inside && !most.compare_exchange_weak(known, inside);) continue;
  }
};

auto waits(elsewhere& there, census& count) {
  return [&](long n) -> weir::coroutine<long> {
    count.enter();
    co_await there.later();
    if (n % 3 == 0) co_await there.later();
    --count.now;
    co_return n;
  };
}

TEST_P(async_nodes, have_as_many_operations_as_they_may) {
  for (const std::size_t most : {1, 2, 50}) {
    elsewhere there;
    census count;
    std::vector<long> seen;
    run(numbers(3000) | weir::async(waits(there, count), most) | into(seen));
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, first_numbers(3000));
    EXPECT_LE(count.most, static_cast<long>(most));
    EXPECT_GE(count.most, most == 50 ? 3 : 1);
  }
}

TEST_P(async_nodes, keep_the_order_where_that_is_wanted) {
  elsewhere there;
  census count;
  std::vector<long> seen;
  run(numbers(3000) | weir::async(waits(there, count), 20).ordered() | into(seen));
  EXPECT_EQ(seen, first_numbers(3000));
  EXPECT_GT(count.most, 2);
  seen.clear();
  const auto odd = [](long n) { return n % 2 == 0 ? std::nullopt : std::optional(n); };
  run(numbers(3000) | weir::farm(weir::node(odd) | weir::async(waits(there, count), 20), 2).ordered() | into(seen));
  EXPECT_EQ(seen.size(), 1500U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST_P(async_nodes, may_end_at_once_and_move_what_they_make) {
  std::vector<long> seen;
  run(numbers(5000) |
      weir::async([](long n) -> weir::coroutine<std::unique_ptr<long>> { co_return std::make_unique<long>(n); }, 7) |
      weir::sink([&](std::unique_ptr<long> n) { seen.push_back(*n); }));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, first_numbers(5000));
}

TEST_P(async_nodes, are_sinks_if_nothing_comes_of_them) {
  elsewhere there;
  std::atomic<long> sum{0};
  run(numbers(1000) | weir::async(
                          [&](long n) -> weir::coroutine<void> {
                            co_await there.later();
                            sum += n;
                          },
                          10));
  EXPECT_EQ(sum, 499'500);
}

// A coroutine that awaits another one gets the exceptions of that one at the `co_await`.
TEST_P(async_nodes, await_other_coroutines) {
  elsewhere there;
  const auto inner = [&](long n) -> weir::coroutine<std::string> {
    co_await there.later();
    if (n == 7) throw std::runtime_error("seven");
    co_return std::to_string(n);
  };
  std::vector<std::string> seen;
  run(numbers(10) |
      weir::async(
          [&](long n) -> weir::coroutine<std::string> {
            try {
              co_return co_await inner(n) + "!";
            } catch (const std::runtime_error& problem) {
              co_return problem.what();
            }
          },
          3)
          .ordered() |
      weir::sink([&](std::string text) { seen.push_back(std::move(text)); }));
  EXPECT_EQ(seen, (std::vector<std::string>{"0!", "1!", "2!", "3!", "4!", "5!", "6!", "seven", "8!", "9!"}));
}

// The run waits for the operations that have begun, which use `there` and `count`.
TEST_P(async_nodes, that_fail_are_waited_for) {
  elsewhere there;
  census count;
  const auto fails = [&](long n) -> weir::coroutine<long> {
    count.enter();
    co_await there.later();
    --count.now;
    if (n == 500) throw std::runtime_error("no answer");
    co_return n;
  };
  try {
    run(numbers(1'000'000'000) | weir::async(fails, 30).named("ask") | weir::sink([](long) {}));
    FAIL() << "it ended";
  } catch (const weir::node_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("/ask: no answer"), std::string::npos) << problem.what();
  }
  EXPECT_EQ(count.now, 0);
}

TEST_P(async_nodes, whose_consumers_end_are_waited_for) {
  elsewhere there;
  census count;
  long left = 100;
  run(numbers(1'000'000'000) | weir::async(waits(there, count), 30) | weir::sink([&](long) {
        if (--left == 0) throw weir::stopped{};
      }));
  EXPECT_EQ(count.now, 0);
}

// Nothing else happens in the network meanwhile, for longer than the search for a deadlock takes.
TEST(async_node, may_take_long) {
  std::coroutine_handle<> waiting;
  std::atomic<bool> has_begun{false};
  struct keeps {
    std::coroutine_handle<>& where;
    std::atomic<bool>& has_begun;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> who) {
      where = who;
      has_begun = true;
    }
    void await_resume() const noexcept {}
  };
  std::thread other([&] {
    while (!has_begun) std::this_thread::yield();
    std::this_thread::sleep_for(700ms);
    waiting.resume();
  });
  std::vector<long> seen;
  weir::run(numbers(3) |
            weir::async(
                [&](long n) -> weir::coroutine<long> {
                  if (n == 0) co_await keeps{waiting, has_begun};
                  co_return n;
                },
                2)
                .ordered() |
            into(seen));
  other.join();
  EXPECT_EQ(seen, first_numbers(3));
}

TEST_P(async_nodes, are_told_that_the_run_is_cancelled) {
  std::stop_source stop;
  weir::run_options options = GetParam().options;
  options.stop = stop.get_token();
  std::atomic<long> begun{0};
  std::atomic<long> ended{0};
  elsewhere there;
  const auto until_stopped = [&](long, std::stop_token stopping) -> weir::coroutine<long> {
    if (++begun == 5) stop.request_stop();
    while (!stopping.stop_requested()) co_await there.later();
    ++ended;
    co_return 0;
  };
  weir::network net = numbers(1'000'000) | weir::async(until_stopped, 10) | weir::sink([](long) {});
  (void)weir::run(net, options);
  EXPECT_GE(begun, 5);
  EXPECT_EQ(ended, begun);
}

// Coroutines that run on until they are told to stop are told as well.
TEST_P(async_nodes, are_told_that_their_consumers_have_ended) {
  elsewhere there;
  const auto until_stopped = [&](long n, std::stop_token stopping) -> weir::coroutine<long> {
    while (n >= 10 && !stopping.stop_requested()) co_await there.later();
    co_return n;
  };
  long left = 3;
  run(numbers(1'000'000'000) | weir::async(until_stopped, 20) | weir::sink([&](long) {
        if (--left == 0) throw weir::stopped{};
      }));
  EXPECT_EQ(left, 0);
}

// A run that has ended early, failed or was cancelled leaves nothing for the next one.
TEST_P(async_nodes, begin_each_run_anew) {
  for (const bool in_order : {false, true}) {
    elsewhere there;
    std::atomic<long> told_to_stop{0};
    enum { end_early, fail, cancel, go_through } how{};
    std::stop_source* stop = nullptr;
    const auto doubled = [&](long n, std::stop_token stopping) -> weir::coroutine<long> {
      co_await there.later();
      if (how == fail && n == 50) throw std::runtime_error("fifty");
      if (how == cancel && n == 50) stop->request_stop();
      if (stopping.stop_requested()) ++told_to_stop;
      co_return 2 * n;
    };
    std::vector<long> seen;
    const auto node = weir::async(doubled, 20);
    weir::network net =
        weir::source(counts{200}) | (in_order ? node.ordered() : node) | weir::sink([&](long n) {
                                                                           if (how == end_early && seen.size() == 3)
                                                                             throw weir::stopped{};
                                                                           seen.push_back(n);
                                                                         }).capacity(1);
    for (const auto next : {end_early, go_through, fail, go_through, cancel, go_through}) {
      how = next;
      seen.clear();
      told_to_stop = 0;
      std::stop_source of_this_run;
      stop = &of_this_run;
      weir::run_options options = GetParam().options;
      options.stop = of_this_run.get_token();
      try {
        (void)weir::run(net, options);
        EXPECT_NE(how, fail);
      } catch (const weir::node_error&) {
        EXPECT_EQ(how, fail);
      }
      if (how != go_through) continue;
      EXPECT_EQ(told_to_stop, 0);
      std::sort(seen.begin(), seen.end());
      std::vector<long> all = first_numbers(200);
      for (long& n : all) n *= 2;
      EXPECT_EQ(seen, all);
    }
  }
}

// Items are aligned as their type requires.
TEST_P(async_nodes, keep_the_alignment_of_items) {
  struct alignas(64) wide {
    long number;
  };
  elsewhere there;
  std::atomic<long> wrong{0};
  const auto look = [&](const wide& w) -> weir::coroutine<std::vector<long>> {
    const auto at = reinterpret_cast<std::uintptr_t>(&w);
    co_await there.later();
    if (at % 64 != 0) ++wrong;
    co_return {w.number, 1};
  };
  long sum = 0;
  run(numbers(100) | weir::node([](long n) { return wide{n}; }) | weir::async(look, 10) |
      weir::sink([&](const std::vector<long>& both) { sum += both[0] * both[1]; }));
  EXPECT_EQ(sum, 4950);
  EXPECT_EQ(wrong, 0);
}

TEST_P(async_nodes, in_a_loop_are_an_error) {
  struct master {
    void process(long n, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(n); }
    void returned(long n, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(n); }
  };
  elsewhere there;
  census count;
  try {
    run(numbers(3) | weir::feedback(master{}, weir::async(waits(there, count), 2)) | weir::sink([](long) {}));
    FAIL() << "it ended";
  } catch (const weir::node_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("can't be in a loop"), std::string::npos) << problem.what();
  }
}

TEST(async_node, of_nothing_at_a_time_is_an_error) {
  EXPECT_THROW((void)weir::async([](long n) -> weir::coroutine<long> { co_return n; }, 0), weir::graph_error);
}

TEST(async_node, of_more_at_a_time_than_can_be_is_an_error) {
  try {
    static_cast<void>(weir::async([](long n) -> weir::coroutine<long> { co_return n; }, std::size_t(-1)));
    FAIL() << "nothing was thrown";
  } catch (const weir::graph_error& error) {
    EXPECT_STREQ(error.what(), "async: works at 18446744073709551615 items at a time; give it at most 1048576");
  }
}

}  // namespace
