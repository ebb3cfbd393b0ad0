// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The shipped wake-up protocol. There is one runner at a time, and the state word carries its data
// from one runner to the next. No notification is lost, whether it goes by the state word, by a
// request for room, or by a sleeper that announces itself.
#include "weir/detail/channel/readiness.hpp"

#include "weir/detail/channel/arrivals.hpp"
#include "weir/detail/channel/channel.hpp"
#include "weir/detail/channel/sleepers.hpp"
#include "weir/graph/graph.hpp"

#include "scenario_tests.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace explore;
using weir::detail::cause;

using channel = weir::detail::basic_channel<model_atomics>;
using readiness = weir::detail::basic_readiness<model_atomics>;
using sleepers = weir::detail::basic_sleepers<model_atomics>;

// A channel of plain numbers; the test is about the notifications.
struct link {
  explicit link(std::size_t capacity, channel::index waiting_most = channel::never)
      : data({sizeof(int), alignof(int), nullptr}, capacity, 1, false, waiting_most) {}

  bool write() {
    if (!data.position().has_slot() && data.grant(1) == 0) return false;
    data.write().done();
    return true;
  }

  channel data;
};

// `local` stands for all data that the runner keeps, `place` for the data that tells a notifier
// where to put the activation.
struct consumer {
  readiness state;
  cell<int> local{0};
  cell<int> place{0};
  int taken = 0;

  template <class Look>
  void run(Look&& look) {
    state.enter();
    do {
      local.set(local.get() + 1);
      look();
      place.set(local.get());
    } while (!state.leave(cause::input));
  }

  bool notify() {
    if (!state.notify(cause::input)) return false;
    check(place.get() != 0, "a runner has left");
    return true;
  }
};

int take(link& from) {
  int count = 0;
  for (std::size_t found = from.data.claim_written(); found != 0; found = from.data.claim_written()) {
    from.data.read(found).done(found);
    count += static_cast<int>(found);
  }
  return count;
}

// The consumer runs, finds nothing and leaves while a producer writes. The thread that makes the
// consumer ready runs it.
// @param marked the consumer looks only at the channels that are marked: for items, and then for
// the end
scenario_body input(unsigned producers, int items, bool marked = false) {
  return [=](execution& e) {
    struct shared {
      explicit shared(std::size_t channels) : marks(channels) {}

      weir::detail::basic_arrivals<model_atomics> marks;
      consumer to;
      std::vector<std::unique_ptr<link>> from;
      unsigned ended = 0;
    };
    auto s = std::make_shared<shared>(producers);
    for (unsigned i = 0; i != producers; ++i) {
      s->from.push_back(std::make_unique<link>(4));
      if (marked) s->from.back()->data.lead_to(s->marks, i);
    }
    const auto look = [=] {
      const std::uint64_t due = marked ? s->marks.take(0) : ~std::uint64_t{0};
      for (unsigned i = 0; i != producers; ++i) {
        if ((due >> i & 1) == 0) continue;
        const bool closed = marked && s->from[i]->data.closed();
        s->to.taken += take(*s->from[i]);
        if (closed) ++s->ended;
      }
    };
    const auto tell = [=] {
      model_atomics::fence_full();
      if (s->to.notify()) s->to.run(look);
    };
    e.thread([=] { s->to.run(look); });
    for (unsigned i = 0; i != producers; ++i) {
      e.thread([=] {
        for (int n = 0; n != items; ++n) {
          check(s->from[i]->write(), "there is room");
          s->from[i]->data.publish();
          tell();
        }
        if (!marked) return;
        s->from[i]->data.close();
        tell();
      });
    }
    e.finally([=] {
      check(s->to.taken == static_cast<int>(producers) * items, "an item is left: a lost wake-up");
      check(!marked || s->ended >= producers, "the end of a channel is not seen");
    });
  };
}

// A producer that waits for room while it has items left.
struct producer {
  explicit producer(std::size_t capacity, channel::index waiting_most = channel::never) : to(capacity, waiting_most) {}

  void run() {
    state.enter();
    for (;;) {
      local.set(local.get() + 1);
      while (left != 0 && to.write()) --left;
      if (left == 0) return state.end();
      to.data.want_room(1);
      model_atomics::fence_full();
      const bool due = to.data.room_is_due();
      if (!due && state.leave(cause::room)) return;
      to.data.want_no_room();
    }
  }

  // For the consumer, when it has made room.
  void tell() {
    model_atomics::fence_full();
    if (to.data.room_is_due() && state.notify(cause::room)) run();
  }

  void check_end() { check(state.has_ended(), "the producer waits for ever: a lost wake-up"); }

  readiness state;
  cell<int> local{0};
  link to;
  int left = 3;
};

// The producer waits for room, and is notified when there is some. The thread that makes the
// producer ready runs it.
void room(execution& e) {
  auto s = std::make_shared<producer>(1);
  e.thread([=] { s->run(); });
  e.thread([=] {
    for (int taken = 0; taken != 3;) {
      await([&] {
        const int now = take(s->to);
        taken += now;
        return now != 0;
      });
      s->tell();
    }
  });
  e.finally([=] { s->check_end(); });
}

// The consumer empties slots and completes no item. The producer is notified when few items are
// left in the slots.
void room_for_items_that_wait(execution& e) {
  auto s = std::make_shared<producer>(3, 1);
  e.thread([=] { s->run(); });
  e.thread([=] {
    channel& data = s->to.data;
    for (int taken = 0; taken != 3; ++taken) {
      await([&] { return data.claim_all_written() != 0; });
      data.read(1, weir::detail::told::later).done();
      data.emptied_to(data.taken());
      s->tell();
    }
  });
  e.finally([=] { s->check_end(); });
}

// A runner gives way, another one goes on, and a third thread is notified when that one has ended.
// Only the state word orders them.
void hand_over(execution& e) {
  struct shared {
    consumer it;
    atomic<bool> queued{false};
  };
  auto s = std::make_shared<shared>();
  e.thread([=] {
    s->it.state.enter();
    s->it.local.set(1);
    s->it.state.yield();
    s->queued.store(true, std::memory_order_relaxed);
  });
  e.thread([=] {
    await([&] { return s->queued.load(std::memory_order_relaxed); });
    s->it.state.enter();
    check(s->it.local.get() == 1, "what the first runner kept");
    s->it.local.set(2);
    s->it.state.end();
  });
  e.thread([=] {
    await([&] { return s->it.state.has_ended(); });
    check(s->it.local.get() == 2, "what the last runner kept");
  });
}

// A worker whose consumer has left looks at the written items, announces its sleep, looks again,
// and sleeps. The producer goes on in user code after each item, so its only way to wake a consumer
// is by the sleepers.
void sleeping_worker(execution& e) {
  struct shared {
    consumer to;
    link from{2};
    sleepers asleep;
    parker place;
    int taken = 0;
  };
  auto s = std::make_shared<shared>();
  e.thread([=] {
    for (int i = 0; i != 2; ++i) {
      check(s->from.write(), "there is room");
      if (!s->asleep.any()) continue;
      if (!model_atomics::has_fence_heavy()) model_atomics::fence_full();
      if (!s->to.state.waits_for(cause::input)) continue;
      model_atomics::fence_full();
      if (s->to.notify()) s->place.unpark();
    }
  });
  e.thread([=] {
    for (;;) {
      s->to.run([&] { s->taken += take(s->from); });
      if (s->taken == 2) return;
      s->asleep.announce();
      const bool found = s->from.data.has_written() && s->to.state.waits_for(cause::input) && s->to.notify();
      if (!found) s->place.park();
      s->asleep.withdraw();
    }
  });
}

// A third thread finds the written items, and has the consumer run elsewhere. The thread that runs
// it must find the items that the notifier saw. The queue in between orders nothing.
void offered(execution& e) {
  struct shared {
    consumer to;
    link from{1};
    atomic<bool> queued{false};
    atomic<bool> done{false};
    int taken = 0;
  };
  auto s = std::make_shared<shared>();
  e.thread([=] { check(s->from.write(), "there is room"); });
  e.thread([=] {
    for (;;) {
      s->to.run([&] { s->taken += take(s->from); });
      if (s->taken == 1) break;
      await([&] { return s->queued.load(std::memory_order_relaxed); });
      s->queued.store(false, std::memory_order_relaxed);
    }
    s->done.store(true, std::memory_order_relaxed);
  });
  e.thread([=] {
    await([&] {
      return s->done.load(std::memory_order_relaxed) ||
             (s->from.data.has_written() && s->to.state.waits_for(cause::input));
    });
    if (s->to.state.notify(cause::input)) s->queued.store(true, std::memory_order_relaxed);
  });
}

// Sleepers and a notification that is not an item: a thread enqueues an entry and looks for a
// sleeper to wake.
void sleeping_thread(execution& e) {
  struct shared {
    atomic<int> queued{0};
    atomic<bool> idle{false};
    sleepers asleep;
    parker place;
  };
  auto s = std::make_shared<shared>();
  e.thread([=] {
    s->queued.store(1, std::memory_order_release);
    if (!s->asleep.any()) return;
    if (!model_atomics::has_fence_heavy()) model_atomics::fence_full();
    if (s->idle.exchange(false, std::memory_order_acq_rel)) s->place.unpark();
  });
  e.thread([=] {
    s->idle.store(true, std::memory_order_release);
    s->asleep.announce();
    if (s->queued.load(std::memory_order_acquire) == 0 || !s->idle.exchange(false, std::memory_order_acq_rel)) {
      s->place.park();
    }
    s->asleep.withdraw();
  });
}

const options bounds{.preemptions = 2, .stale = 2, .max_executions = 400'000};

options without_heavy() {
  options all = bounds;
  all.has_fence_heavy = false;
  return all;
}

const std::vector<scenario> scenarios = {
    {"input", input(1, 2), bounds},
    {"input from two", input(2, 1), bounds},
    {"marked input", input(1, 2, true), bounds},
    {"marked input from two", input(2, 1, true), bounds},
    {"room", room, bounds},
    {"room for items that wait", room_for_items_that_wait, bounds},
    {"hand-over", hand_over, bounds},
    {"offered", offered, bounds},
    {"sleeping worker", sleeping_worker, bounds},
    {"sleeping worker, no heavy fence", sleeping_worker, without_heavy()},
    {"sleeping thread", sleeping_thread, bounds},
    {"sleeping thread, no heavy fence", sleeping_thread, without_heavy()},
};

TEST(explored_wake_up, loses_none) { expect_all_hold(scenarios, 1); }

TEST(explored_wake_up, has_no_order_that_is_not_needed) {
  // Formally, the full fence in `enter` acquires as well; but not for ThreadSanitizer, which
  // doesn't support fences.
  expect_all_needed(
      scenarios,
      {"weir/detail/channel/readiness.hpp", "weir/detail/channel/sleepers.hpp", "weir/detail/channel/arrivals.hpp"},
      {"readiness.hpp update(acquire) -> relaxed"});
}

}  // namespace
