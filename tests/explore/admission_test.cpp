// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The limit on the number of items inside a block. It is kept; the entrance is always woken; and
// the entrance sees all effects of the items that have left.
#include "blocks/admission.hpp"

#include "weir/detail/channel/readiness.hpp"

#include "scenario_tests.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace explore;
using weir::detail::cause;

using readiness = weir::detail::basic_readiness<model_atomics>;
using admission = weir::detail::basic_admission<model_atomics>;

// One thread is the entrance, the other one is the rest of the block. The thread that makes the
// entrance ready runs it. Each item uses one of `limit` places.
scenario_body block(std::uint64_t limit, std::uint64_t items, bool idle) {
  return [=](execution& e) {
    struct shared {
      explicit shared(std::uint64_t most) : limit(most), places(most) {}
      readiness state;
      admission limit;
      std::vector<cell<int>> places;
      atomic<std::uint64_t> sent{0};
      std::uint64_t next = 0;
    };
    auto s = std::make_shared<shared>(limit);
    const auto run = [=] {
      s->state.enter();
      for (;;) {
        for (std::uint64_t some = s->limit.room(s->next); some != 0 && s->next != items; --some) {
          s->places[s->next % limit].set(1);
          s->sent.store(++s->next, std::memory_order_release);
        }
        if (s->next == items) return s->state.end();
        if (s->limit.room(s->next) == 0 && s->state.leave(cause::room)) return;
      }
    };
    e.thread(run);
    e.thread([=] {
      for (std::uint64_t done = 0; done != items;) {
        await([&] { return s->sent.load(std::memory_order_acquire) != done; });
        check(s->sent.load(std::memory_order_acquire) - done <= limit, "too many are inside");
        s->places[done % limit].set(0);
        ++done;
        if (s->limit.done(done, idle) && s->state.notify(cause::room)) run();
      }
    });
    e.finally([=] { check(s->next == items, "an item has not been let in"); });
  };
}

const options bounds{.preemptions = 2, .stale = 2, .max_executions = 400'000};

const std::vector<scenario> scenarios = {
    {"one at a time", block(1, 3, false), bounds},
    {"two at a time", block(2, 4, false), bounds},
    {"two at a time, at once", block(2, 4, true), bounds},
};

TEST(explored_admission, wakes_its_way_in) { expect_all_hold(scenarios); }

TEST(explored_admission, has_no_order_that_is_not_needed) { expect_all_needed(scenarios, {"blocks/admission.hpp"}); }

}  // namespace
