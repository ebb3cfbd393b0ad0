// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The shipped channel, used through its typed interface. Every item arrives once and in order, both
// sides never touch a slot or segment at once, and no memory order is stronger than necessary.
#include "weir/channel/ring.hpp"

#include "scenario_tests.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using namespace explore;

using ring = weir::basic_ring<tracked, model_atomics>;

// The items that one consumer has received so far.
class received {
 public:
  void operator()(tracked item) { check(item.value() == next_++, "an item is lost, repeated or out of order"); }
  int count() const { return next_; }

 private:
  int next_ = 0;
};

void push(ring& to, int value) {
  std::optional<tracked> item(value);
  await([&] {
    auto back = to.try_push(std::move(*item));
    if (!back) return true;
    check(back->why == weir::refusal::full, "nobody has closed it");
    item.emplace(std::move(back->item));
    return false;
  });
}

void pop(ring& from, received& to) {
  std::optional<tracked> item;
  await([&] { return (item = from.try_pop()).has_value(); });
  to(std::move(*item));
}

// Sends items one by one through a ring smaller than their number.
void stream(execution& e) {
  auto r = std::make_shared<ring>(2);
  e.thread([=] {
    for (int i = 0; i != 4; ++i) push(*r, i);
  });
  e.thread([=] {
    received got;
    for (int i = 0; i != 4; ++i) pop(*r, got);
  });
}

// Sends batches, filled and drained by several items at a time, and the end.
void batches(execution& e) {
  auto r = std::make_shared<ring>(2);
  e.thread([=] {
    for (int made = 0; made != 4;) {
      await([&] { return r->fill([&] { return tracked(made++); }, 4 - made) != 0; });
    }
    r->close();
  });
  e.thread([=] {
    received got;
    await([&] {
      r->drain([&](tracked&& item) { got(std::move(item)); });
      return r->ended();
    });
    check(got.count() == 4, "the end comes after the last item");
  });
}

// Uses the channel as the executors do: the consumer follows the published items, and the end.
void published(execution& e) {
  auto c = std::make_shared<weir::detail::basic_channel<model_atomics>>(weir::layout_of<tracked>(), 2);
  e.thread([=] {
    for (int batch = 0; batch != 2; ++batch) {
      for (int i = 2 * batch; i != 2 * batch + 2; ++i) {
        await([&] { return c->grant(1) == 1; });
        auto slots = c->write();
        ::new (static_cast<void*>(slots.item())) tracked(i);
        slots.done();
      }
      c->publish();
    }
    c->close();
  });
  e.thread([=] {
    received got;
    await([&] {
      for (std::size_t found = c->claim(); found != 0; found = c->claim()) {
        for (auto items = c->read(found); items.more();) items.take<tracked>(std::ref(got));
      }
      return c->ended();
    });
    check(got.count() == 4, "the end comes after the last item");
  });
}

// Segments of one slot: each item brings a new segment, and the consumer returns the old ones.
void segments(execution& e) {
  auto r = std::make_shared<ring>(ring::unbounded, 1);
  e.thread([=] {
    for (int i = 0; i != 5; ++i) check(!r->try_push(tracked(i)), "there is always room");
    r->close();
  });
  e.thread([=] {
    received got;
    for (int i = 0; i != 5; ++i) pop(*r, got);
    await([&] { return r->ended(); });
  });
}

// The consumer goes early; the remaining items are destroyed with the ring.
void abandoned(execution& e) {
  auto r = std::make_shared<ring>(1);
  e.thread([=] {
    std::optional<tracked> item(0);
    for (int i = 0;; item.emplace(++i)) {
      weir::refusal why{};
      await([&] {
        auto back = r->try_push(std::move(*item));
        if (!back) return true;
        why = back->why;
        item.emplace(std::move(back->item));
        return why == weir::refusal::closed;
      });
      if (why == weir::refusal::closed) break;
      check(i < 2, "only one item was taken");
    }
  });
  e.thread([=] {
    received got;
    pop(*r, got);
    r->abandon();
  });
}

const options bounds{.preemptions = 2, .stale = 2, .max_executions = 300'000};
const options one_stale{.preemptions = 2, .stale = 1, .max_executions = 300'000};

const std::vector<scenario> scenarios = {
    {"stream", stream, bounds},        {"batches", batches, bounds},     {"published", published, bounds},
    {"segments", segments, one_stale}, {"abandoned", abandoned, bounds},
};

TEST(explored_ring, delivers_every_item_once_and_in_order) { expect_all_hold(scenarios, 1); }

TEST(explored_ring, has_no_order_that_is_not_needed) { expect_all_needed(scenarios, {"weir/detail/channel/"}); }

}  // namespace
