// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The shipped end of a loop. It is never closed while an item is on its way in it, and it is always
// closed in the end; also when its members lie in two groups.
#include "weir/detail/channel/readiness.hpp"

#include "ports/basic_loop.hpp"
#include "scenario_tests.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using namespace explore;
using weir::detail::cause;

using readiness = weir::detail::basic_readiness<model_atomics>;

// A node as the loop sees it, with a thread of its own.
struct node {
  atomic<bool> reactive{false};
  atomic<std::uint32_t> spilling{0};
  readiness state;
  parker place;
  bool ended = false;

  void notify(cause why) noexcept {
    if (state.notify(why)) place.unpark();
  }
  void tell() noexcept {
    model_atomics::fence_full();
    notify(cause::input);
  }

  // @param step returns whether it found something to do
  template <class Step>
  void run(Step&& step) {
    for (;;) {
      state.enter();
      do {
        while (!ended && step()) {
        }
        if (ended) return state.end();
      } while (!state.leave(cause::input));
      place.park();
    }
  }
};

using loop = weir::detail::basic_loop<model_atomics, node>;

struct channel : weir::detail::basic_channel<model_atomics> {
  channel() : basic_channel({sizeof(int), alignof(int), nullptr}, 4) {}

  void send(int value) {
    check(grant(1) == 1, "there is room");
    auto slots = write();
    *reinterpret_cast<int*>(slots.item()) = value;
    slots.done();
  }

  // @return the item, which is not completed yet
  std::optional<int> next() {
    if (claim_written() == 0) return std::nullopt;
    return *reinterpret_cast<int*>(read(1).item());
  }
  void complete_one() { read(1).done(); }
};

struct setting {
  int rounds = 0;            // how often the item from outside comes back to the head; -1: there is no item
  bool no_source = false;    // whether it is closed to the outside from the start
  bool asked = false;        // whether the head is asked
  bool sends_quiet = false;  // whether it then sends something
  bool sends_at_start = false;
  bool spills = false;      // whether what the tail sends is spilled first
  bool to_itself = false;   // whether the tail sends that, or what it sends at the start, to itself
  bool leaves = false;      // whether the head ends after its first item
  bool in_at_tail = false;  // whether items come in at the tail; the members have started before
  bool in_two_groups = false;
  bool late = false;  // whether another source fills a slot of a channel that its consumer has abandoned
};

// Decides for two groups, as the coordinator of a cluster does.
struct arbiter final : weir::detail::loop_arbiter {
  void part_is_quiet() noexcept override { quiet.fetch_add(1, std::memory_order_release); }
  void part_has_answered() noexcept override { answered.fetch_add(1, std::memory_order_release); }

  void decide(loop& a, loop& b) {
    int reports = 2;
    int answers = 0;
    std::optional<std::uint64_t> sent_when_asked;
    for (;;) {
      await([&] { return quiet.load(std::memory_order_acquire) == reports; });
      a.note_completed();
      b.note_completed();
      const loop::tally of_a = a.compare();
      const loop::tally of_b = b.compare();
      if (!of_a.quiet || !of_b.quiet) {
        reports += (of_a.quiet_now ? 0 : 1) + (of_b.quiet_now ? 0 : 1);
        sent_when_asked.reset();
        continue;
      }
      if (sent_when_asked == of_a.sent + of_b.sent) break;
      sent_when_asked = of_a.sent + of_b.sent;
      a.ask();
      b.ask();
      answers += 2;
      await([&] { return answered.load(std::memory_order_acquire) == answers; });
    }
    a.close();
    b.close();
  }

  atomic<int> quiet{0};
  atomic<int> answered{0};
};

// The loop: the head takes from `in` and `back` and sends to `forth`; the tail sends each item on
// to `back`, one less, until it is zero. In two groups, the tail lies in the second one; the thread
// of each member also stands for the far end of the channel that it takes from.
struct network {
  explicit network(const setting& its) : as(its) {
    loop& far = as.in_two_groups ? second : first;
    first.add_member(head);
    far.add_member(tail);
    first.add_head(head);
    if (as.asked) first.add_asked(head);
    first.add_channel(in, true, nullptr);
    for (node* each : {&head, &tail}) each->reactive.store(as.in_at_tail, std::memory_order_relaxed);
    first.add_channel(forth, false, nullptr);
    far.add_channel(back, false, &far);
    if (as.to_itself) far.add_channel(own, false, nullptr);
    if (as.late) {
      first.add_channel(gone, true, nullptr);
      check(gone.grant(1) == 1, "there is room");
      gone.abandon();
    }
    if (!as.in_two_groups) return;
    first.decided_by(decides);
    second.decided_by(decides);
  }

  void run_source() {
    if (as.rounds >= 0) in.send(as.rounds);
    in.close();
    (as.in_at_tail ? tail : head).tell();
  }

  void run_late_source() {
    auto slots = gone.write();
    *reinterpret_cast<int*>(slots.item()) = 1;
    slots.done();
  }

  void run_head() {
    if (!as.in_at_tail) head.reactive.store(true, std::memory_order_release);
    head.run([this] { return step_of_head(); });
  }

  bool step_of_head() {
    const bool closed = first.closed();
    for (channel* from : {&back, &in}) {
      if (from == &in && as.in_at_tail) continue;
      const std::optional<int> item = from->next();
      if (!item) continue;
      check(!closed, "the loop was closed while an item was on its way");
      ++at_head;
      forth.send(*item);
      from->complete_one();
      if (as.leaves) return end_head();
      tail.tell();
      return true;
    }
    if (closed) return end_head();
    first.look();
    if (as.in_two_groups) second.look();
    if (!as.asked || !first.asks(0)) return false;
    if (std::exchange(sends_quiet, false)) {
      forth.send(0);
      tail.tell();
    }
    first.answer(0);
    return true;
  }

  bool end_head() {
    head.ended = true;
    forth.close();
    in.abandon();
    back.abandon();
    if (as.asked) first.left(0);
    first.look();
    tail.tell();
    return false;
  }

  void run_tail() {
    if (as.sends_at_start) (as.to_itself ? own : back).send(0);
    if (!as.in_at_tail) tail.reactive.store(true, std::memory_order_release);
    if (as.sends_at_start && !as.to_itself) head.tell();
    tail.run([this] { return step_of_tail(); });
  }

  bool step_of_tail() {
    const bool closed = forth.closed();
    for (channel* from : {&own, &forth, &in}) {
      if (from == &in && !as.in_at_tail) continue;
      const std::optional<int> item = from->next();
      if (!item) continue;
      ++at_tail;
      const bool spilled = as.spills && *item != 0;
      if (spilled) tail.spilling.store(1, std::memory_order_relaxed);
      if (*item != 0 && !spilled) back.send(*item - 1);
      from->complete_one();
      if (spilled) {
        (as.to_itself ? own : back).send(*item - 1);
        tail.spilling.store(0, std::memory_order_release);
      }
      if (*item != 0 && !as.to_itself) head.tell();
      return true;
    }
    tail.ended = closed;
    first.look();
    if (as.in_two_groups) second.look();
    return false;
  }

  void check_all() const {
    const int to_head = as.rounds + (as.in_at_tail && as.rounds >= 0 ? 0 : 1) + (as.sends_at_start ? 1 : 0);
    const int to_tail = (as.in_at_tail && as.rounds >= 0 ? 1 : 0) + (as.sends_quiet ? 1 : 0);
    if (as.to_itself) return check(at_head == 0 && at_tail == (as.spills ? 2 : 1), "an item is lost");
    if (as.leaves) return check(at_head == 1 && at_tail == 1, "an item is lost");
    check(at_head == to_head, "the loop was closed while an item was on its way to the head");
    check(at_tail == at_head + to_tail, "the loop was closed while an item was on its way to the tail");
  }

  const setting as;
  loop first{"/loop", 0};
  loop second{"/loop", 0};
  arbiter decides;
  node head;
  node tail;
  channel in;
  channel forth;
  channel back;
  channel own;
  channel gone;
  bool sends_quiet = as.sends_quiet;
  int at_head = 0;  // items taken
  int at_tail = 0;
};

scenario_body around(setting as) {
  return [=](execution& e) {
    auto n = std::make_shared<network>(as);
    if (as.no_source) {
      if (as.rounds >= 0) n->in.send(as.rounds);
      n->in.close();
    } else {
      e.thread([=] { n->run_source(); });
    }
    if (as.late) e.thread([=] { n->run_late_source(); });
    e.thread([=] { n->run_head(); });
    e.thread([=] { n->run_tail(); });
    if (as.in_two_groups) e.thread([=] { n->decides.decide(n->first, n->second); });
    e.finally([=] { n->check_all(); });
  };
}

options within(unsigned preemptions, unsigned stale) {
  return {.preemptions = preemptions, .stale = stale, .max_executions = 400'000};
}

const std::vector<scenario> scenarios = {
    {"head leaves", around({.asked = true, .leaves = true}), within(1, 0)},
    {"spilled", around({.rounds = 1, .no_source = true, .spills = true, .to_itself = true, .in_at_tail = true}),
     within(2, 1)},
    {"sent at the start", around({.rounds = -1, .no_source = true, .sends_at_start = true, .to_itself = true}),
     within(2, 1)},
    {"asked, sends", around({.asked = true, .sends_quiet = true}), within(1, 0)},
    {"two groups, asked", around({.rounds = -1, .no_source = true, .asked = true, .in_two_groups = true}),
     within(1, 0)},
    {"once", around({}), within(1, 1)},
    {"two groups, sent at the start",
     around({.rounds = -1, .no_source = true, .sends_at_start = true, .in_two_groups = true}), within(1, 0)},
    {"two groups", around({.rounds = 1, .in_two_groups = true}), within(0, 1)},
    {"sent to a channel that is abandoned", around({.rounds = -1, .no_source = true, .late = true}), within(1, 0)},
    {"asked late", around({.rounds = -1, .asked = true, .in_at_tail = true}), within(1, 2)},
};

TEST(explored_loop, is_closed_when_nothing_is_on_its_way) { expect_all_hold(scenarios); }

// The loads of `reactive` and `spilling` acquire, so that one sweep is right by itself. A relaxed
// one that misses an item makes the loop quiet once. The second sweep comes after a fence, by which
// it sees the item, and then the loop is looked at again. So no scenario fails without these
// acquires.
TEST(explored_loop, has_no_order_that_is_not_needed) {
  expect_all_needed(scenarios, {"ports/"},
                    {"basic_loop.hpp load(acquire) -> relaxed", "basic_loop.hpp load(acquire) -> relaxed"});
}

}  // namespace
