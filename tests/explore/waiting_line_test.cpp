// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The shipped event count. No thread sleeps on while there is news for it.
#include "weir/detail/serve/waiting_line.hpp"

#include "scenario_tests.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

namespace {

using namespace explore;

using waiting_line = weir::detail::basic_waiting_line<model_atomics>;

constexpr std::size_t everyone = std::numeric_limits<std::size_t>::max();

struct shared {
  waiting_line waiting;
  atomic<int> news{0};

  void bring(std::size_t most) {
    news.fetch_add(1, std::memory_order_relaxed);
    model_atomics::fence_full();
    if (waiting.any()) waiting.wake(most);
  }

  template <class Take>
  void wait(Take&& take) {
    while (!take()) {
      const waiting_line::ticket announced = waiting.announce();
      if (news.load(std::memory_order_relaxed) != 0) {
        waiting.withdraw();
      } else {
        waiting.wait(announced);
      }
    }
  }

  bool take_one() {
    int seen = news.load(std::memory_order_relaxed);
    while (seen != 0) {
      if (news.compare_exchange_strong(seen, seen - 1, std::memory_order_relaxed, std::memory_order_relaxed))
        return true;
    }
    return false;
  }
};

// News that stays, such as the end of a stream, for all.
scenario_body end(unsigned waiters) {
  return [=](execution& e) {
    auto s = std::make_shared<shared>();
    e.thread([=] { s->bring(everyone); });
    for (unsigned i = 0; i != waiters; ++i) {
      e.thread([=] { s->wait([&] { return s->news.load(std::memory_order_relaxed) != 0; }); });
    }
    e.finally([=] { check(!s->waiting.any(), "a waiter was not withdrawn"); });
  };
}

// Each item is for one waiter.
scenario_body items(unsigned producers, int each, unsigned consumers) {
  return [=](execution& e) {
    auto s = std::make_shared<shared>();
    for (unsigned i = 0; i != producers; ++i) {
      e.thread([=] {
        for (int n = 0; n != each; ++n) s->bring(1);
      });
    }
    const int all = static_cast<int>(producers) * each;
    for (unsigned i = 0; i != consumers; ++i) {
      e.thread([=] {
        for (int n = 0; n != all / static_cast<int>(consumers); ++n) s->wait([&] { return s->take_one(); });
      });
    }
  };
}

const options bounds{.preemptions = 2, .stale = 2, .max_executions = 400'000};
const options one_stale{.preemptions = 2, .stale = 1, .max_executions = 400'000};

const std::vector<scenario> scenarios = {
    {"the end", end(1), bounds},
    {"the end for two", end(2), one_stale},
    {"two items", items(1, 2, 1), bounds},
    {"two items for two", items(1, 2, 2), one_stale},
    {"items from two", items(2, 1, 1), one_stale},
};

TEST(explored_waiting_line, loses_no_wake_up) { expect_all_hold(scenarios); }

TEST(explored_waiting_line, has_no_order_that_is_not_needed) {
  expect_all_needed(scenarios, {"weir/detail/serve/waiting_line.hpp"});
}

}  // namespace
