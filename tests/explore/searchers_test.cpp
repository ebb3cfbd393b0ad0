// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Workers that search, that sleep, and that leave for long work: no work is left while a worker
// sleeps.
#include "run/searchers.hpp"

#include "scenario_tests.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace explore;

using sleepers = weir::detail::basic_sleepers<model_atomics>;
using searchers = weir::detail::basic_searchers<model_atomics>;

// The part of a pool that matters here: queued items, two workers that may sleep, and a list of the
// sleeping ones. `left` is an item that a running worker has left for later; other workers may take
// it once the worker's own step takes long.
struct pool {
  sleepers asleep;
  searchers search{asleep};
  atomic<int> queued{0};
  atomic<int> left{0};
  atomic<bool> takes_long{false};
  atomic<unsigned> idle{0};  // a bit for each
  parker places[2];

  bool take() {
    int seen = queued.load(std::memory_order_acquire);
    while (seen != 0) {
      if (queued.compare_exchange_strong(seen, seen - 1, std::memory_order_acq_rel, std::memory_order_acquire))
        return true;
    }
    return takes_long.load(std::memory_order_acquire) && left.exchange(0, std::memory_order_acq_rel) != 0;
  }

  bool anything() const {
    return queued.load(std::memory_order_acquire) != 0 ||
           (takes_long.load(std::memory_order_acquire) && left.load(std::memory_order_acquire) != 0);
  }

  void wake_one() {
    if (!search.none()) return;
    unsigned seen = idle.load(std::memory_order_acquire);
    while (seen != 0) {
      const unsigned first = (seen & 1) != 0 ? 0 : 1;
      if (!idle.compare_exchange_strong(seen, seen & ~(1U << first), std::memory_order_acq_rel,
                                        std::memory_order_acquire))
        continue;
      places[first].unpark();
      return;
    }
  }

  void enqueue() {
    queued.fetch_add(1, std::memory_order_release);
    if (search.fenced()) wake_one();
  }

  void begin_something_long() {
    takes_long.store(true, std::memory_order_release);
    if (search.fenced()) wake_one();
  }

  void leave(bool last) {
    if (last && search.fenced() && anything()) wake_one();
  }

  // A worker that looks for work until it has found an item, with which it is busy for ever.
  void work(unsigned number) {
    for (;;) {
      search.begin();
      const bool found = take();
      const bool last = search.end();
      if (found) return leave(last);
      idle.fetch_or(1U << number, std::memory_order_release);
      asleep.announce();
      const bool more = anything();
      if (!more || (idle.fetch_and(~(1U << number), std::memory_order_acq_rel) & (1U << number)) == 0)
        places[number].park();
      asleep.withdraw();
    }
  }

  // A worker that finds a join, with which it is busy for ever.
  void help() {
    search.begin();
    leave(search.end());
  }
};

// If work is left while a worker sleeps, that worker is parked for ever, which the explorer
// reports.
void beside_a_join(execution& e) {
  auto p = std::make_shared<pool>();
  e.thread([=] { p->enqueue(); });
  e.thread([=] { p->work(0); });
  e.thread([=] { p->help(); });
}

void beside_a_step(execution& e) {
  auto p = std::make_shared<pool>();
  e.thread([=] {
    p->left.store(1, std::memory_order_relaxed);
    p->begin_something_long();
  });
  e.thread([=] { p->work(0); });
  e.thread([=] { p->help(); });
}

void two_workers(execution& e) {
  auto p = std::make_shared<pool>();
  e.thread([=] {
    p->enqueue();
    p->enqueue();
  });
  e.thread([=] { p->work(0); });
  e.thread([=] { p->work(1); });
}

const options bounds{.preemptions = 2, .stale = 2, .max_executions = 400'000};

options without_heavy() {
  options all = bounds;
  all.has_fence_heavy = false;
  return all;
}

options shallow(options all) {
  --all.preemptions;
  return all;
}

const std::vector<scenario> scenarios = {
    {"beside a join", beside_a_join, bounds},
    {"beside a join, no heavy fence", beside_a_join, without_heavy()},
    {"beside a step", beside_a_step, bounds},
    {"beside a step, no heavy fence", beside_a_step, without_heavy()},
    {"two workers", two_workers, shallow(bounds)},
    {"two workers, no heavy fence", two_workers, shallow(without_heavy())},
};

TEST(explored_searchers, leave_nothing_beside_one_that_sleeps) { expect_all_hold(scenarios, 1); }

TEST(explored_searchers, have_no_order_that_is_not_needed) { expect_all_needed(scenarios, {"run/searchers.hpp"}); }

// An earlier form of the pool, in which a worker that left a search for a join notified no other.
TEST(explored_searchers, lose_news_where_one_leaves_without_a_look) {
  const result r = run(bounds, [](execution& e) {
    auto p = std::make_shared<pool>();
    e.thread([=] { p->enqueue(); });
    e.thread([=] { p->work(0); });
    e.thread([=] {
      p->search.begin();
      p->search.end();
    });
  });
  EXPECT_TRUE(r.failed);
}

}  // namespace
