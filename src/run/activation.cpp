// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/activation.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace weir::detail {
namespace {

pid_t this_thread() noexcept {
  static thread_local const pid_t number = ::gettid();
  return number;
}

// Returns the processor time of a thread of this process; -1 if there is no such thread.
std::int64_t cpu_time(pid_t thread) noexcept {
  // The kernel's number of a thread's clock. clock_getcpuclockid and pthread_getcpuclockid build it
  // in the same way.
  constexpr clockid_t of_a_thread = 6;
  timespec time{};
  if (clock_gettime((~static_cast<clockid_t>(thread) << 3) | of_a_thread, &time) != 0) return -1;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::int64_t ticks(std::chrono::steady_clock::time_point at) noexcept { return at.time_since_epoch().count(); }

}  // namespace

activation::activation(run_context& run, scheduler& executor, node_traits where_to_run, int on_core)
    : traits(std::move(where_to_run)), core(on_core), run_(run), executor_(executor) {
  left_.set(ticks(clock::now()));
  left_for_.set(cause::any);
  ready_since_.store(left_.get(), std::memory_order_relaxed);
}

running_node& activation::add(behaviour& what, const node_description& node) {
  nodes_.push_back(std::make_unique<running_node>(run_, *this, what, node));
  at_work_.store(nodes_.front().get(), std::memory_order_relaxed);
  return *nodes_.back();
}

void activation::never_run() noexcept {
  for (auto& node : nodes_) node->close();
  state.end();
}

void activation::is_ready_now() noexcept {
  if constexpr (states_are_timed) ready_since_.store(ticks(clock::now()), std::memory_order_relaxed);
}

void activation::hold_partial_item() noexcept {
  running_node& node = *at_work_.load(std::memory_order_acquire);
  if (!node.has_partial_item.load(std::memory_order_relaxed)) return;
  for (std::size_t i = 0; i != node.io.outs(); ++i) node.io.out(i).hold_next();
}

void activation::make_ready(cause why) noexcept {
  is_ready_now();
  // The runner's writes before it left are visible here: `leave` released the word, `notify`
  // acquired it.
  if (traits.on_own_thread || woken_by_unpark_) {
    sleeping_place.unpark();
  } else {
    executor_.enqueue(*this, why);
  }
}

activation::outcome activation::run(run_record& this_run) {
  state.enter();
  times_run_.add(1);
  thread_.set(this_thread());
  clock::time_point at = clock::now();
  this_run.began = at;
  ready_at_ = ticks(at);
  if constexpr (states_are_timed) {
    const clock::rep ready = ready_since_.load(std::memory_order_relaxed);
    ready_at_ = ready;
    ready_.add(std::max<clock::rep>(ticks(at) - ready, 0));
    const clock::rep waited = std::max<clock::rep>(ready - left_.get(), 0);
    if (left_for_.get() == cause::input) waiting_input_.add(waited);
    if (left_for_.get() == cause::room) waiting_room_.add(waited);
  }
  for (;; executor_.going_on()) {
    looked_away_ = false;
    step_began_ = ticks(at);
    std::uint64_t items = 0;
    const progress how = step(at, items, this_run);
    if (log_ != nullptr) record(step_began_, ticks(at), how, items, 1);
    ready_at_ = ticks(at);
    left_.set(ticks(at));
    this_run.ended = at;
    last_run_ = static_cast<std::uint64_t>((at - this_run.began).count());
    switch (how) {
      case progress::ended: state.end(); return outcome::ended;
      case progress::more:
        left_for_.set(cause::any);
        ready_since_.store(ticks(at), std::memory_order_relaxed);
        state.yield();
        return outcome::again;
      case progress::waiting_input:
        if (looked_away_) break;
        left_for_.set(cause::input);
        if (state.leave(cause::input)) return outcome::waiting;
        break;
      case progress::waiting_room:
        if (stopping() || nodes_.back()->ask_for_room()) break;
        if (log_ != nullptr) record_what_is_asked();
        offer_all_room();
        left_for_.set(cause::room);
        if (state.leave(cause::room)) return outcome::waiting;
        break;
    }
  }
}

progress activation::step(clock::time_point& at, std::uint64_t& items, run_record& this_run) noexcept {
  const clock::time_point latest = at + std::chrono::nanoseconds(turn_nanoseconds);
  for (;;) {
    items += take_turns(0, at, &this_run);
    const progress how = outlook();
    if (nodes_.size() == 1 || how != progress::more || at >= latest) return how;
    executor_.going_on();
  }
}

// Gives each node from `first` to the last one a turn, then publishes their output and notifies.
// Moves `at` from the beginning to the end of these turns.
// @param ending the record of the run if these turns end a step, else null
// @return number of items that `first` took
std::uint64_t activation::take_turns(std::size_t first, clock::time_point& at, run_record* ending) noexcept {
  const clock::time_point began = at;
  std::uint64_t taken = 0;
  for (std::size_t i = first; i != nodes_.size(); ++i) {
    running_node& node = *nodes_[i];
    const std::size_t most = budget(i);
    node.begin_turn(at);
    if (nodes_.size() != 1) at_work_.store(&node, std::memory_order_release);
    if (most != 0) {
      node.take_turn(most);
    } else {
      node.miss_turn();
    }
    if (i + 1 == nodes_.size()) {
      if (ending != nullptr) ending->ending_step = true;
      flush();
      if (ending != nullptr) ending->ending_step = false;
    }
    const clock::time_point now = clock::now();
    const std::uint64_t done = node.end_turn(at, now);
    if (i == first) taken = done;
    at = now;
  }
  if (first == 0 && nodes_.size() != 1) {
    const std::uint32_t mean = cost_.add(taken, static_cast<std::uint64_t>((at - began).count()));
    if (taken != 0) nodes_.front()->item_cost.store(mean, std::memory_order_relaxed);
  }
  return taken;
}

// Returns how many items a node may take. In a chain, this is at most the room in the channel to
// the next node: 0 if there is none, until the nodes behind it have made some.
std::size_t activation::budget(std::size_t node) const noexcept {
  if (node + 1 == nodes_.size()) return nodes_[node]->budget();
  // The item cost is known after the first item. Until then the next nodes do not wait for more
  // than one.
  const bool known = nodes_[node]->item_cost.load(std::memory_order_relaxed) != 0;
  const std::size_t wanted = known ? nodes_[node]->budget() : 1;
  if (stopping()) return wanted;
  const channel& next = *inner_[node];
  if (next.abandoned()) return wanted;
  const auto used = static_cast<std::size_t>(next.written() - next.completed());
  const auto most = static_cast<std::size_t>(std::min<channel::index>(next.fill_limit(), next.capacity()));
  return std::min(wanted, most - std::min(used, most));
}

// Returns the state of the chain as a whole after a turn of each node.
progress activation::outlook() const noexcept {
  if (nodes_.back()->last() == progress::waiting_room) return progress::waiting_room;
  bool ended = true;
  for (const auto& node : nodes_) {
    const progress last = node->last();
    if (last == progress::more || last == progress::waiting_room) return progress::more;
    ended = ended && last == progress::ended;
  }
  if (ended) return progress::ended;
  // A node takes the items that it knew of at the beginning of its turn, and may have ended the
  // turn after these. No notification tells of the items that the node before it has sent since.
  const bool some_left = std::any_of(inner_.begin(), inner_.end(), [](const channel* between) {
    return between->has_written() && !between->abandoned();
  });
  return some_left ? progress::more : progress::waiting_input;
}

// Publishes what was written, and notifies the neighbours of items and room. One full fence serves
// all. The neighbour that is notified last runs first: an item goes on to the end before the next
// one is made.
void activation::flush() noexcept {
  ports& from = nodes_.front()->io;
  ports& to = nodes_.back()->io;
  bool news = false;
  for (std::size_t i = 0; i != to.outs(); ++i) news = to.out(i).publish() || news;
  for (std::size_t i = 0; i != from.ins(); ++i) news = from.in(i).touched() || news;
  if (!news) return;
  native_atomics::fence_full();
  for (std::size_t i = 0; i != from.ins(); ++i) from.in(i).offer_room();
  for (std::size_t i = 0; i != to.outs(); ++i) to.out(i).notify_consumers();
}

void activation::offer_all_room() noexcept {
  ports& from = nodes_.front()->io;
  for (std::size_t i = 0; i != from.ins(); ++i) from.in(i).offer_all_room();
}

/// Its lifetime is time that does not count as the sender's: other nodes take their turns, or the
/// sender waits for room.
class activation::time_out_of_turn {
 public:
  time_out_of_turn(activation& within, running_node& sender) : within_(within), sender_(sender), began_(clock::now()) {
    sender_.wait_begins(began_);
  }
  time_out_of_turn(const time_out_of_turn&) = delete;
  time_out_of_turn& operator=(const time_out_of_turn&) = delete;
  ~time_out_of_turn() {
    const clock::time_point now = clock::now();
    within_.woken_by_unpark_ = false;
    within_.at_work_.store(&sender_, std::memory_order_release);
    sender_.wait_ends(now - began_, alone_ ? now - began_ : waited_);
    if (recorded_) within_.log_->lengthen(ticks(now));
  }

  /// No node is behind the sender: it waits all of the time.
  void has_nobody_behind() noexcept { alone_ = true; }
  void add_waiting(clock::duration time) noexcept { waited_ += time; }

  void record() noexcept {
    if (within_.log_ == nullptr || recorded_) return;
    const clock::rep now = ticks(clock::now());
    recorded_ = true;
    within_.record(within_.step_began_, now, progress::more, 0, 0);
    within_.log_->add({.ready = now,
                       .begin = now,
                       .end = now,
                       .thread = within_.executor_.of_this_thread().thread,
                       .in_place = true});
  }

 private:
  activation& within_;
  running_node& sender_;
  const clock::time_point began_;
  clock::duration waited_{0};
  bool alone_ = false;
  bool recorded_ = false;
};

std::size_t activation::behind(const running_node& sender) const noexcept {
  const auto at_sender = [&](const auto& node) { return node.get() == &sender; };
  return static_cast<std::size_t>(std::find_if(nodes_.begin(), nodes_.end(), at_sender) - nodes_.begin()) + 1;
}

bool activation::let_those_behind_run(running_node& sender) {
  const std::size_t first = behind(sender);
  if (first == nodes_.size()) return false;
  const time_out_of_turn others(*this, sender);
  clock::time_point at = clock::now();
  take_turns(first, at, nullptr);
  return true;
}

void activation::wait_in_place(running_node& sender) {
  const std::size_t behind = this->behind(sender);
  flush();
  time_out_of_turn waits(*this, sender);
  bool has_core = true;
  const auto leave_core = [&] {
    if (!std::exchange(has_core, false)) return;
    executor_.hand_over_core(core_loss::room);
    waits.record();
    looked_away_ = true;
  };
  if (behind == nodes_.size()) {
    waits.has_nobody_behind();
    leave_core();
  }
  while (!stopping() && !sender.drain()) {
    if (behind != nodes_.size()) {
      clock::time_point at = clock::now();
      take_turns(behind, at, nullptr);
      if (nodes_.back()->last() != progress::waiting_room) continue;
      leave_core();
    }
    flush();
    if (nodes_.back()->ask_for_room()) continue;
    if (log_ != nullptr) record_what_is_asked();
    offer_all_room();
    const clock::time_point left = clock::now();
    left_.set(ticks(left));
    left_for_.set(cause::room);
    woken_by_unpark_ = true;
    if (state.leave(cause::room)) {
      sleeping_place.park();
      state.enter();
      times_run_.add(1);
      waits.add_waiting(clock::now() - left);
    }
  }
  if (stopping()) throw stopped{};
}

bool activation::wake_itself() noexcept {
  if (!state.waits_for(cause::input) || !has_input() || !state.notify(cause::input)) return false;
  is_ready_now();
  return true;
}

bool activation::has_input() const noexcept {
  ports& io = nodes_.front()->io;
  for (std::size_t i = 0; i != io.ins(); ++i) {
    for (const auto& from : io.in(i).channels()) {
      if (from->data().has_written()) return true;
    }
  }
  return false;
}

// Records a step, or the rest of a step that waited in the middle. Records it in two parts if the
// thread lost its core on the way.
void activation::record(clock::rep from, clock::rep to, progress how, std::uint64_t items,
                        std::uint32_t steps) noexcept {
  const scheduler::core_status here = executor_.of_this_thread();
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
  ports& io = nodes_.back()->io;
  for (std::size_t i = 0; i != io.outs(); ++i) {
    if (!io.out(i).spilled() || io.out(i).asked().empty()) continue;
    return log_->waits_for(io.out(i).asked().front(), io.out(i).asked().size() > 1);
  }
}

void activation::fill(const running_node& node, node_report& r) const noexcept {
  const bool in_turn = node.fill(r);
  if (in_turn) fill_long_run(node, r);
  clock::rep waiting_input = waiting_input_.get();
  clock::rep waiting_room = waiting_room_.get();
  if (states_are_timed && !in_turn && state.waits()) {
    const clock::rep waited = std::max<clock::rep>(ticks(clock::now()) - left_.get(), 0);
    (left_for_.get() == cause::room ? waiting_room : waiting_input) += waited;
  }
  r.ready += clock::duration(ready_.get());
  r.waiting_input += clock::duration(waiting_input);
  r.waiting_room += clock::duration(waiting_room);
}

void activation::note_long_run() noexcept {
  const std::uint64_t run = times_run();
  if (state.waits() || state.has_ended() || run != std::exchange(seen_running_, run) || long_run_.get() == run) return;
  long_run_cpu_.set(cpu_time(thread_.get()));
  long_run_seen_.set(ticks(clock::now()));
  long_run_.set(run);
}

// Applies only to a turn that began before the monitor looked.
void activation::fill_long_run(const running_node& node, node_report& r) const noexcept {
  const clock::rep seen = long_run_seen_.get();
  if (long_run_.get() != times_run() || node.in_turn_since() == 0 || node.in_turn_since() > seen) return;
  const std::int64_t cpu = cpu_time(thread_.get());
  if (cpu < 0) return;
  r.thread = thread_.get();
  r.in_own_code = clock::duration(ticks(clock::now()) - seen);
  r.in_own_code_cpu = std::chrono::nanoseconds(std::max<std::int64_t>(cpu - long_run_cpu_.get(), 0));
}

}  // namespace weir::detail
