// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/activation.hpp"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

// A step should neither be so short that starting it matters, nor so long that others wait for the core.
constexpr std::uint64_t step_nanoseconds = 100'000;
constexpr std::uint64_t step_items_most = 4096;
constexpr std::uint64_t step_items_unknown = 64;
// How many items the mean cost looks back.
constexpr std::uint64_t cost_memory = 1024;

std::int64_t ticks(std::chrono::steady_clock::time_point at) noexcept { return at.time_since_epoch().count(); }

}  // namespace

thread_local constinit bool ending_step = false;

activation::activation(run_context& run, scheduler& executor, behaviour& what, const node_description& node,
                       node_traits where_to_run, int on_core)
    : host(executor.sleeping(), run.stopping, run.draining),
      io(*this, node.path, node.index, node.width),
      traits(std::move(where_to_run)),
      core(on_core),
      run_(run),
      executor_(executor),
      what_(what) {
  for (const auto& port : node.in) io.add_in(port);
  for (const auto& port : node.out) io.add_out(port);
  left_.set(ticks(clock::now()));
  left_for_.set(cause::any);
  ready_since_.store(left_.get(), std::memory_order_relaxed);
}

void activation::make_ready() noexcept {
#ifndef WEIR_NO_COUNTERS
  ready_since_.store(clock::now().time_since_epoch().count(), std::memory_order_relaxed);
#endif
  // The runner's writes before it left are visible here: leaving released the word, notifying acquired it.
  if (traits.on_own_thread || woken_by_unpark_) {
    sleeping_place.unpark();
  } else {
    executor_.enqueue(*this);
  }
}

activation::outcome activation::run() {
  state.enter();
  clock::time_point from = clock::now();
  ready_at_ = ticks(from);
#ifndef WEIR_NO_COUNTERS
  const clock::rep ready = ready_since_.load(std::memory_order_relaxed);
  ready_at_ = ready;
  ready_.add(std::max<clock::rep>(ticks(from) - ready, 0));
  const clock::rep waited = std::max<clock::rep>(ready - left_.get(), 0);
  if (left_for_.get() == cause::input) waiting_input_.add(waited);
  if (left_for_.get() == cause::room) waiting_room_.add(waited);
#endif
  for (;; executor_.going_on()) {
    looked_away_ = false;
    stepping_since_.set(ticks(from));
    for (std::size_t i = 0; i != io.ins(); ++i) io.in(i).begin_step();
    const progress how = guarded_advance();
    if (how == progress::ended) close();
    ending_step = true;
    flush();
    ending_step = false;
    const clock::time_point to = clock::now();
    const std::uint64_t items = account(from, to);
    if (log_ != nullptr) record(ticks(from), ticks(to), how, items, 1);
    from = to;
    ready_at_ = ticks(to);
    left_.set(ticks(to));
    switch (how) {
      case progress::ended: state.end(); return outcome::ended;
      case progress::more:
        left_for_.set(cause::any);
        ready_since_.store(to.time_since_epoch().count(), std::memory_order_relaxed);
        state.yield();
        return outcome::again;
      case progress::waiting_input:
        if (looked_away_) break;
        left_for_.set(cause::input);
        if (state.leave(cause::input)) return outcome::waiting;
        break;
      case progress::waiting_room:
        if (stopping() || ask_for_room()) break;
        if (log_ != nullptr) record_what_is_asked();
        left_for_.set(cause::room);
        if (state.leave(cause::room)) return outcome::waiting;
        break;
    }
  }
}

progress activation::guarded_advance() noexcept {
  try {
    return advance();
  } catch (const stopped&) {
    if (stopping()) return progress::ended;
  } catch (...) {
    run_.fail(path(), std::current_exception());
    return progress::ended;
  }
  // A consumer has ended, so this node ends too, as if its input had.
  try {
    discard();
    if (phase_ == phase::starting || phase_ == phase::running) {
      phase_ = phase::finishing;
      begin_finish();
      what_.finish(io);
    }
  } catch (const stopped&) {
  } catch (...) {
    run_.fail(path(), std::current_exception());
  }
  return progress::ended;
}

progress activation::advance() {
  if (stopping()) return progress::ended;
  steps_.add(1);
  if (!drain()) return progress::waiting_room;
  if (phase_ == phase::starting) {
    phase_ = phase::running;
    what_.start(io);
    if (io.ins() != 0) reactive.store(true, std::memory_order_release);
    if (io.blocked() && !drain()) return progress::waiting_room;
  }
  if (phase_ == phase::running && io.cut_off()) throw stopped{};
  if (phase_ == phase::running) {
    const std::uint64_t cost = item_cost.load(std::memory_order_relaxed);
    const std::uint64_t budget =
        cost == 0 ? step_items_unknown : std::clamp<std::uint64_t>(step_nanoseconds / cost, 1, step_items_most);
    const progress how = step(static_cast<std::size_t>(budget));
    if (how != progress::ended && io.blocked()) return progress::waiting_room;
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

// A send may end the step by throwing: because the consumers are gone, and with them any use of what has spilled, or because
// a source written as a loop shall end.
progress activation::step(std::size_t budget) {
  try {
    return what_.step(io, budget);
  } catch (const stopped&) {
    if (stopping()) throw;
    // Nothing keeps what has spilled from going on where somebody takes it.
    for (std::size_t i = 0; i != io.outs(); ++i) {
      if (io.out(i).abandoned()) io.out(i).discard();
    }
    return progress::ended;
  }
}

bool activation::drain() {
  bool drained = true;
  for (std::size_t i = 0; io.blocked() && i != io.outs(); ++i) drained = io.out(i).drain() && drained;
  return drained;
}

// Whether some spilled item could go on already.
bool activation::ask_for_room() {
  bool due = false;
  for (std::size_t i = 0; i != io.outs(); ++i) {
    if (io.out(i).spilled() && io.out(i).ask_for_room()) due = true;
  }
  return due;
}

// Publishes what was written, and tells the neighbours what they wait for. One fence serves all.
void activation::flush() noexcept {
  bool news = false;
  for (std::size_t i = 0; i != io.outs(); ++i) news = io.out(i).publish() || news;
  for (std::size_t i = 0; i != io.ins(); ++i) news = io.in(i).touched() || news;
  if (!news) return;
  native_atomics::fence_full();
  for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).notify_consumers();
  for (std::size_t i = 0; i != io.ins(); ++i) io.in(i).offer_room();
}

// From now on it may send whatever it likes, for no item's sake.
void activation::begin_finish() noexcept {
  reactive.store(false, std::memory_order_relaxed);
  for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).begin_finish();
}

void activation::discard() noexcept {
  for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).discard();
}

void activation::close() noexcept {
  if (phase_ == phase::starting || phase_ == phase::running) what_.abort(io);
  phase_ = phase::ended;
  discard();
  for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).close();
  for (std::size_t i = 0; i != io.ins(); ++i) io.in(i).abandon();
  reactive.store(true, std::memory_order_release);
  io.leave_loops();
}

void activation::wait_in_place() {
  flush();
  executor_.hand_over_core(core_loss::room);
  const clock::rep from = ticks(clock::now());
  if (log_ != nullptr) {
    record(stepping_since_.get(), from, progress::more, 0, 0);
    log_->add(
        {.ready = from, .begin = from, .end = from, .thread = executor_.of_this_thread().thread, .in_place = true});
  }
  waiting_in_place_since_.set(from);
  looked_away_ = true;
  woken_by_unpark_ = true;
  for (;;) {
    if (stopping()) break;
    try {
      if (drain()) break;
    } catch (...) {
      woken_by_unpark_ = false;
      waiting_in_place_since_.set(0);
      throw;
    }
    flush();
    if (ask_for_room()) continue;
    if (log_ != nullptr) record_what_is_asked();
    left_.set(ticks(clock::now()));
    left_for_.set(cause::room);
    if (state.leave(cause::room)) {
      sleeping_place.park();
      state.enter();
    }
  }
  woken_by_unpark_ = false;
  waiting_in_place_since_.set(0);
  const clock::rep to = ticks(clock::now());
  waited_in_place_.add(to - from);
  if (log_ != nullptr) log_->lengthen(to);
  if (stopping()) throw stopped{};
}

bool activation::has_input() noexcept {
  for (std::size_t i = 0; i != io.ins(); ++i) {
    for (const auto& from : io.in(i).channels()) {
      if (from->data().has_written()) return true;
    }
  }
  return false;
}

// @return how many items the step took
std::uint64_t activation::account(clock::time_point from, clock::time_point to) noexcept {
  const clock::rep waited = waited_in_place_.get();
  const clock::rep busy = std::max<clock::rep>(ticks(to) - ticks(from) - waited, 0);
  stepping_since_.set(0);
  waited_in_place_.set(0);
  waiting_room_.add(waited);
  busy_.add(busy);
  const std::uint64_t done = io.processed() - items_.get();
  items_.set(io.processed());
  cost_nanoseconds_ += static_cast<std::uint64_t>(busy);
  cost_items_ += done;
  if (done == 0) return 0;
  item_cost.store(static_cast<std::uint32_t>(std::clamp<std::uint64_t>(cost_nanoseconds_ / cost_items_, 1, UINT32_MAX)),
                  std::memory_order_relaxed);
  if (cost_items_ > cost_memory) {
    cost_items_ /= 2;
    cost_nanoseconds_ /= 2;
  }
  return done;
}

// A step, or the rest of one that waited in the middle; in two parts, if the thread lost its core on the way.
void activation::record(clock::rep from, clock::rep to, progress how, std::uint64_t items,
                        std::uint32_t steps) noexcept {
  const scheduler::whereabouts here = executor_.of_this_thread();
  from = std::max(from, log_->until());
  trace_slice slice{.ready = ready_at_,
                    .begin = from,
                    .end = to,
                    .items = static_cast<std::uint32_t>(items),
                    .steps = steps,
                    .thread = here.thread,
                    .how = how};
  if (here.core != core_loss::none) {
    const clock::rep lost_at = std::clamp(here.lost_at, from, to);
    if (lost_at != from) {
      log_->add({.ready = ready_at_, .begin = from, .end = lost_at, .thread = here.thread});
      slice.ready = slice.begin = lost_at;
    }
    slice.core = here.core;
  }
  log_->add(slice);
}

void activation::record_what_is_asked() noexcept {
  for (std::size_t i = 0; i != io.outs(); ++i) {
    if (!io.out(i).spilled() || io.out(i).asked().empty()) continue;
    return log_->waits_for(io.out(i).asked().front(), io.out(i).asked().size() > 1);
  }
}

void activation::fill(node_report& r) const noexcept {
  // Of its inputs, what is completed is up to date also within a step.
  std::uint64_t completed = 0;
  for (std::size_t i = 0; i != io.ins(); ++i) {
    for (const auto& from : io.in(i).channels()) completed += from->data().completed();
  }
  r.items = std::max(items_.get(), completed);
  r.steps = steps_.get();
  clock::rep busy = busy_.get();
  clock::rep waiting_input = waiting_input_.get();
  clock::rep waiting_room = waiting_room_.get();
#ifndef WEIR_NO_COUNTERS
  const clock::rep now = ticks(clock::now());
  if (const clock::rep since = stepping_since_.get(); since != 0) {
    clock::rep waited = waited_in_place_.get();
    if (const clock::rep in_place = waiting_in_place_since_.get(); in_place != 0) waited += now - in_place;
    waiting_room += waited;
    busy += std::max<clock::rep>(now - since - waited, 0);
  } else if (state.waits()) {
    (left_for_.get() == cause::room ? waiting_room : waiting_input) += std::max<clock::rep>(now - left_.get(), 0);
  }
#endif
  r.busy = clock::duration(busy);
  r.ready = clock::duration(ready_.get());
  r.waiting_input = clock::duration(waiting_input);
  r.waiting_room = clock::duration(waiting_room);
}

}  // namespace weir
