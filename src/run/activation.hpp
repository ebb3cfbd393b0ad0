// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/parker.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/report.hpp"

#include "run/alarms.hpp"
#include "run/counter.hpp"
#include "run/running_node.hpp"
#include "run/trace_log.hpp"

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir::detail {

class activation;

/// The services that an activation needs from its scheduler.
class scheduler {
 public:
  /// Called when `ready` has become ready: some thread must call its `run`. Any thread.
  /// @param why the cause that it had waited for
  virtual void enqueue(activation& ready, cause why) noexcept = 0;

  /// Called when the calling thread is about to wait inside user code: other threads may use its
  /// core until its step ends.
  /// @throws std::runtime_error if that takes more threads than are allowed
  virtual void hand_over_core(core_loss why) = 0;

  /// Called when the calling thread has just ended a step but does not return to the scheduler yet.
  virtual void going_on() noexcept = 0;

  virtual const sleepers& sleeping() const noexcept = 0;
  virtual const sleepers& called() const noexcept = 0;
  virtual weir::detail::alarms& alarms() noexcept = 0;

  /// The calling thread's number, and, if other threads may use its core, why and since when.
  struct core_status {
    std::uint16_t thread = 0;
    core_loss core = core_loss::none;
    trace_slice::time lost_at = 0;
  };
  virtual core_status of_this_thread() const noexcept = 0;

 protected:
  ~scheduler() = default;
};

/// The unit that a thread runs at a time: one node, or a chain of fused nodes, each of which has
/// the next one as its only consumer. At most one thread runs an activation at a time; `state` (see
/// `basic_readiness`) ensures this.
///
/// Its neighbours see a chain as one node: items enter at the first node and leave at the last. The
/// nodes of a chain take turns. A turn lasts as long as the channel to the next node has room, so
/// the items between two nodes stay in the core's nearest cache. While a node waits in the middle
/// of its turn, the nodes behind it take theirs.
class activation {
 public:
  enum class outcome {
    again,    ///< the budget is used up: enqueue it again
    waiting,  ///< another thread will make it ready; the caller must not touch it
    ended,    ///< call `run_context::one_ended` once no thread refers to it
  };

  static constexpr std::uint64_t turn_nanoseconds = 100'000;

  /// @param where_to_run traits of the node, for the scheduler
  /// @param on_core the processor to stay on, or -1
  activation(run_context& run, scheduler& executor, node_traits where_to_run, int on_core);
  activation(const activation&) = delete;
  activation& operator=(const activation&) = delete;

  /// Adds a node behind the last one. Only before the first `run`.
  /// @return the node, which lives as long as this
  running_node& add(behaviour& what, const node_description& node);

  /// Sets the channel from the last node but one to the last node. Only before the first `run`.
  void join(const channel& to_next) { inner_.push_back(&to_next); }

  /// Records what the activation does in `log`, which outlives the run. Only before the first
  /// `run`.
  void record_in(trace_log& log) noexcept { log_ = &log; }

  /// The activation that the calling thread runs, also in a piece of a join in it; null if it runs
  /// none.
  static activation* of_this_thread() noexcept;

  /// Whether the node at work is a source that still makes items (`running_node::makes_items`).
  bool makes_items() const noexcept { return at_work_.load(std::memory_order_acquire)->makes_items(); }
  /// Called when a run that the node at work began was drained with the run around it, at the end
  /// of the former and on a thread for which `of_this_thread` returns this: see
  /// `host::has_partial_item`. Relaxed, because only that thread, or one that joins it, reads it.
  void note_partial_item() noexcept {
    if (makes_items())
      at_work_.load(std::memory_order_acquire)->has_partial_item.store(true, std::memory_order_relaxed);
  }
  /// For the runner, from inside user code, after `note_partial_item` may have been called: a
  /// source written as a loop can't send that item. Its next send looks whether it may, and throws.
  void hold_partial_item() noexcept;

  /// Whether it has been in one turn of a node since `time` or longer, and does not wait for room.
  /// Any thread.
  bool in_one_turn_since(std::chrono::steady_clock::time_point time) const noexcept {
    const std::chrono::steady_clock::rep since = at_work_.load(std::memory_order_acquire)->in_turn_since();
    return since != 0 && since <= time.time_since_epoch().count() && !state.waits() && !state.has_ended();
  }

  /// Ends it without running. Called instead of the first `run`, if the run ends before it begins.
  void never_run() noexcept;

  /// One `run`, as the thread that runs it sees it. Only that thread uses it.
  struct run_record {
    std::chrono::steady_clock::time_point began, ended;
    /// True while the thread sends its notifications at the end of a step: it will soon run the
    /// activations that it makes ready itself. `scheduler::enqueue` is called then.
    bool ending_step = false;
  };

  /// Runs it until it waits, ends, or has used up its budget. Call only after it was enqueued.
  /// @param this_run receives the begin and the end, and says meanwhile when a step ends
  outcome run(run_record& this_run);

  /// Called from inside user code of `sender`: waits until the items that `sender` has spilled can
  /// go on.
  /// @throws stopped
  void wait_in_place(running_node& sender);

  /// Called from inside user code of `sender`: gives the nodes behind it a turn.
  /// @return whether there are any
  bool let_those_behind_run(running_node& sender);

  /// Any thread, after a full fence that follows the news (see `basic_readiness`).
  void notify(cause why) noexcept { nodes_.front()->notify(why); }
  /// Called by `running_node` when a notification has made the activation ready.
  void make_ready(cause why) noexcept;

  /// Called by the activation's own thread while it waits for input. If there is some input whose
  /// producer has not yet sent its notification, the thread notifies itself.
  /// @return whether this made it ready; if so, no other thread unparks it
  bool wake_itself() noexcept;

  /// Wakes the consumers for which items have been written. Any thread, while some thread runs the
  /// activation.
  void offer() noexcept {
    ports& io = nodes_.back()->io;
    for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).offer();
  }

  /// Whether several channels lead to it. If so, waiting a little brings it more items at once.
  bool gathers() noexcept {
    ports& io = nodes_.front()->io;
    return io.ins() > 1 || (io.ins() == 1 && io.in().width() > 1);
  }

  /// Nanoseconds that its last `run` took. Only for the thread that has it in a queue or has taken
  /// it from one.
  std::uint64_t last_run() const noexcept { return last_run_; }

  /// Number of times it began to run, or went on after it had waited in the middle of a step. Any
  /// thread; exact for a thread that found it waiting.
  std::uint64_t times_run() const noexcept { return times_run_.get(); }

  /// Called by the monitor now and then: notes, for `fill`, that it has been running since the last
  /// call.
  void note_long_run() noexcept;

  bool is_source() const noexcept { return nodes_.front()->io.ins() == 0; }
  /// Path of the node at work, or of the last one that was. Any thread.
  const std::string& path() const noexcept { return at_work_.load(std::memory_order_acquire)->io.path(); }
  /// Adds the counters of one of its nodes to `r`. Any thread. Includes the work of a step under
  /// way, as far as it is known.
  void fill(const running_node& node, node_report& r) const noexcept;
  run_context& context() noexcept { return run_; }
  const sleepers& sleeping() const noexcept { return executor_.sleeping(); }
  const sleepers& called() const noexcept { return executor_.called(); }
  weir::detail::alarms& alarms() noexcept { return executor_.alarms(); }

  readiness state;
  const node_traits traits;
  const int core;
  parker sleeping_place;             // place of the waiting thread: its own thread, or one that waits in place
  activation* queue_next = nullptr;  // link in a pool's queue
  activation* queue_previous = nullptr;
  unsigned queued_at = 0;

 private:
  using clock = std::chrono::steady_clock;
  class time_out_of_turn;

  static constexpr std::uint64_t never_run_yet = ~std::uint64_t{0};

  progress step(clock::time_point& at, std::uint64_t& items, run_record& this_run) noexcept;
  std::uint64_t take_turns(std::size_t first, clock::time_point& at, run_record* ending) noexcept;
  std::size_t budget(std::size_t node) const noexcept;
  std::size_t behind(const running_node& sender) const noexcept;
  progress outlook() const noexcept;
  bool has_input() const noexcept;
  void is_ready_now() noexcept;
  void fill_long_run(const running_node& node, node_report& r) const noexcept;
  bool stopping() const noexcept { return run_.requests.stopping(); }
  void flush() noexcept;
  void offer_all_room() noexcept;
  void record(clock::rep from, clock::rep to, progress how, std::uint64_t items, std::uint32_t steps) noexcept;
  void record_what_is_asked() noexcept;

  run_context& run_;
  scheduler& executor_;
  std::vector<std::unique_ptr<running_node>> nodes_;
  std::vector<const channel*> inner_;  // one channel from each node to the next
  std::atomic<running_node*> at_work_{nullptr};
  mean_cost cost_;            // cost of one item in all nodes together
  trace_log* log_ = nullptr;  // null: nothing is recorded
  counter<std::uint64_t> times_run_;
  std::uint64_t last_run_ = never_run_yet;
  counter<pid_t> thread_;  // the thread that runs it, or ran it last
  // For the monitor. `seen_running_` is `times_run_` at its last look. The other three describe a
  // run that two looks have seen: its number, the time of the second look, and the processor time
  // that its thread had used until then.
  std::uint64_t seen_running_ = 0;
  counter<std::uint64_t> long_run_;
  counter<clock::rep> long_run_seen_;
  counter<clock::rep> long_run_cpu_;
  clock::rep ready_at_ = 0;       // start of being ready for the current step
  clock::rep step_began_ = 0;     // start of the current step
  bool woken_by_unpark_ = false;  // written by the runner before it leaves
  // Whether the step has waited for room in the middle. During that wait, notifications of input
  // did not count, so an earlier look at the input must not make the activation wait for input.
  bool looked_away_ = false;

  // Counters. The runner writes them, except `ready_since_`, which the notifier writes. Times are
  // those of `clock`.
  counter<clock::rep> ready_;
  counter<clock::rep> waiting_input_;
  counter<clock::rep> waiting_room_;
  counter<clock::rep> left_;
  counter<cause> left_for_;
  std::atomic<clock::rep> ready_since_{0};
};

}  // namespace weir::detail
