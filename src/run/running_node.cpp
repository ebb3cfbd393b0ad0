// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/running_node.hpp"

#include "graph/per_process.hpp"
#include "run/activation.hpp"

#include <algorithm>
#include <stdexcept>

namespace weir::detail {
namespace {

// A turn should be long enough that its start costs little, and short enough that other nodes do
// not wait long for the core.
constexpr std::uint64_t turn_items_most = 4096;
constexpr std::uint64_t turn_items_least = 8;  // or one: expensive items need not wait for each other
constexpr std::uint64_t turn_items_unknown = 64;

}  // namespace

running_node::running_node(run_context& run, activation& within, behaviour& what, const node_description& node)
    : host(within.state, within.sleeping(), within.called(), run.requests),
      io(*this, node.path, node.index, node.width),
      run_(run),
      within_(within),
      what_(what),
      timed_(!node.in.empty() && what.has_deadlines()) {
  has_core = !node.traits.blocking && !node.traits.on_own_thread;
  for (const auto& port : node.in) io.add_in(port);
  for (const auto& port : node.out) io.add_out(port);
  io.tell_failures(node.failures.get());
  if (node.in.empty()) ends_with_consumers.store(true, std::memory_order_relaxed);
}

void running_node::make_ready(cause why) noexcept { within_.make_ready(why); }

void running_node::wait_in_place() { within_.wait_in_place(*this); }

bool running_node::let_those_behind_run() { return within_.let_those_behind_run(*this); }

std::size_t running_node::budget() const noexcept {
  const std::uint64_t cost = item_cost.load(std::memory_order_relaxed);
  if (cost == 0) return turn_items_unknown;
  if (cost >= activation::turn_nanoseconds / turn_items_least) return 1;
  return static_cast<std::size_t>(std::min<std::uint64_t>(activation::turn_nanoseconds / cost, turn_items_most));
}

progress running_node::take_turn(std::size_t budget) noexcept {
  if (phase_ == phase::ended) return last_;
  awaits_time.store(false, std::memory_order_relaxed);
  for (std::size_t i = 0; i != io.ins(); ++i) io.in(i).begin_step();
  last_ = guarded_advance(budget);
  if (last_ == progress::ended) close();
  return last_;
}

progress running_node::guarded_advance(std::size_t budget) noexcept {
  try {
    const child_ends_here within(io.path());
    return advance(budget);
  } catch (const stopped&) {
    if (stopping()) return progress::ended;
  } catch (...) {
    run_.fail(io.path(), std::current_exception());
    return progress::ended;
  }
  // A consumer has ended, so this node ends too, as if its input had ended.
  try {
    const child_ends_here within(io.path());
    discard();
    if (phase_ == phase::starting || phase_ == phase::running) {
      phase_ = phase::finishing;
      begin_finish();
      what_.finish(io);
    }
  } catch (const stopped&) {
  } catch (...) {
    run_.fail(io.path(), std::current_exception());
  }
  return progress::ended;
}

progress running_node::advance(std::size_t budget) {
  if (stopping()) return progress::ended;
  turns_.add(1);
  if (!drain()) return progress::waiting_room;
  if (phase_ == phase::starting) {
    phase_ = phase::running;
    what_.start(io);
    if (io.ins() != 0) reactive.store(true, std::memory_order_release);
    if (io.blocked() && !drain()) return progress::waiting_room;
  }
  if (phase_ == phase::running && io.cut_off()) throw stopped{};
  if (phase_ == phase::running) {
    const progress how = step(budget);
    if (how != progress::ended && io.blocked()) return progress::waiting_room;
    if (how != progress::ended && how != progress::more && sends_to_nobody_for_ever()) throw stopped{};
    if (how == progress::waiting_input && io.in_loop() && io.settle(what_)) {
      return io.blocked() ? progress::waiting_room : progress::more;
    }
    if (how != progress::ended) return how;
    if (stopping()) return progress::ended;  // the inputs may have ended because of it
    phase_ = phase::finishing;
  }
  if (phase_ == phase::finishing) {
    phase_ = phase::draining;
    begin_finish();
    what_.finish(io);
  }
  return drain() ? progress::ended : progress::waiting_room;
}

// Most nodes learn at their next send that no consumer takes items any more. A node that will not
// send again would wait for ever.
bool running_node::sends_to_nobody_for_ever() const noexcept {
  return ends_with_consumers.load(std::memory_order_relaxed) && io.sends_to_nobody();
}

// A send may end the step by throwing. Either the consumers are gone, so nobody needs the spilled
// items, or a source written as a loop must end.
progress running_node::step(std::size_t budget) {
  try {
    const progress how = what_.step(io, budget);
    return timed_ && how != progress::ended && !io.blocked() ? keep_deadline(how) : how;
  } catch (const stopped&) {
    if (stopping()) throw;
    // Spilled items may still go on to consumers that take them.
    for (std::size_t i = 0; i != io.outs(); ++i) {
      if (io.out(i).abandoned()) io.out(i).discard();
    }
    return progress::ended;
  }
}

// Calls `on_deadline` if it is time; else ensures that the node runs again at its deadline. No
// other code sets off an alarm before its time, so an alarm that is set to a time between now and
// the deadline will still ring.
progress running_node::keep_deadline(progress how) {
  const std::int64_t deadline = what_.deadline();
  if (deadline == behaviour::no_deadline) return how;
  if (io.in_loop()) throw std::logic_error("a node in a loop can't have a deadline; put it before or behind the loop");
  const clock::time_point at{clock::duration(deadline)};
  const clock::time_point now = clock::now();
  if (at <= now) {
    what_.on_deadline(io);
    return progress::more;
  }
  if (how != progress::waiting_input) return how;
  if (alarm_at_ <= now || alarm_at_ > at) {
    within_.alarms().set(*this, at);
    alarm_at_ = at;
  }
  awaits_time.store(true, std::memory_order_relaxed);
  return how;
}

bool running_node::drain() {
  bool drained = true;
  for (std::size_t i = 0; io.blocked() && i != io.outs(); ++i) drained = io.out(i).drain() && drained;
  return drained;
}

bool running_node::ask_for_room() {
  bool due = false;
  for (std::size_t i = 0; i != io.outs(); ++i) {
    if (io.out(i).spilled() && io.out(i).ask_for_room()) due = true;
  }
  return due;
}

// From now on the node may send any number of items, without having taken one.
void running_node::begin_finish() noexcept {
  reactive.store(false, std::memory_order_relaxed);
  for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).begin_finish();
}

void running_node::discard() noexcept {
  for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).discard();
}

void running_node::close() noexcept {
  if (phase_ == phase::starting || phase_ == phase::running) what_.abort(io);
  phase_ = phase::ended;
  if (timed_) within_.alarms().forget(*this);
  discard();
  for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).close();
  for (std::size_t i = 0; i != io.ins(); ++i) io.in(i).abandon();
  reactive.store(true, std::memory_order_release);
  io.leave_loops();
}

std::uint64_t running_node::end_turn(clock::time_point from, clock::time_point to) noexcept {
  const clock::rep busy = std::max<clock::rep>((to - from).count() - away_.get(), 0);
  stepping_since_.set(0);
  away_.set(0);
  busy_.add(busy);
  const std::uint64_t done = io.processed() - items_.get();
  items_.set(io.processed());
  const std::uint32_t mean = cost_.add(done, static_cast<std::uint64_t>(busy));
  if (done != 0) item_cost.store(mean, std::memory_order_relaxed);
  return done;
}

bool running_node::fill(node_report& r) const noexcept {
  // The number of completed items of its inputs is up to date also within a turn.
  std::uint64_t completed = 0;
  for (std::size_t i = 0; i != io.ins(); ++i) {
    for (const auto& from : io.in(i).channels()) completed += from->data().completed();
  }
  r.items = std::max(items_.get(), completed);
  r.steps = turns_.get();
  clock::rep busy = busy_.get();
  clock::rep waited = waited_for_room_.get();
  bool in_turn = false;
  if (const clock::rep since = stepping_since_.get(); states_are_timed && since != 0) {
    in_turn = true;
    const clock::rep now = clock::now().time_since_epoch().count();
    clock::rep away = away_.get();
    if (const clock::rep waits_since = waiting_in_place_since_.get(); waits_since != 0) {
      away += now - waits_since;
      waited += now - waits_since;
    }
    busy += std::max<clock::rep>(now - since - away, 0);
  }
  r.busy += clock::duration(busy);
  r.waiting_room += clock::duration(waited);
  return in_turn;
}

}  // namespace weir::detail
