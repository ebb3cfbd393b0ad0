// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The shipped biased lock. One thread is inside at a time, and it sees what all before it wrote.
#include "scenario_tests.hpp"
#include "serve/basic_turn.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace {

using namespace explore;

using turn = weir::detail::basic_turn<model_atomics>;

// Each thread enters some times. With a patience of 1, each thread that enters by the mutex becomes
// the favourite.
scenario_body entering(std::vector<int> times, std::size_t patience) {
  return [=](execution& e) {
    struct shared {
      explicit shared(std::size_t patience) : lock(patience) {}

      turn lock;
      cell<int> count{0};
    };
    auto s = std::make_shared<shared>(patience);
    int all = 0;
    for (const int mine : times) {
      all += mine;
      e.thread([=] {
        for (int i = 0; i != mine; ++i) {
          const turn::guard inside(s->lock);
          s->count.set(s->count.get() + 1);
        }
      });
    }
    e.finally([=] { check(s->count.get() == all, "two were inside at a time"); });
  };
}

const options bounds{.preemptions = 2, .stale = 2, .max_executions = 400'000};

options without_heavy() {
  options all = bounds;
  all.has_fence_heavy = false;
  return all;
}

const std::vector<scenario> scenarios = {
    {"revoked", entering({3, 1}, 1), bounds},
    {"revoked and regained", entering({3, 2}, 1), bounds},
    {"more patience", entering({3, 1}, 2), bounds},
    {"three threads", entering({2, 1, 1}, 1), bounds},
    {"no heavy fence", entering({2, 2}, 1), without_heavy()},
};

TEST(explored_turn, lets_one_in_at_a_time) { expect_all_hold(scenarios); }

TEST(explored_turn, has_no_order_that_is_not_needed) {
  expect_all_needed(scenarios, {"weir/detail/serve/turn.hpp", "serve/basic_turn.hpp"});
}

}  // namespace
