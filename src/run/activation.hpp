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

namespace weir {

class activation;

/// Whether the calling thread is notifying at the end of a step, so that it will soon run what it
/// made ready itself.
extern thread_local constinit bool ending_step;

/// What an activation needs of whoever runs it.
class scheduler {
 public:
  /// `ready` became ready: some thread must call its `run`. Any thread.
  /// @param why what it had waited for
  virtual void enqueue(activation& ready, cause why) noexcept = 0;

  /// The calling thread is about to wait inside user code: others may use its core until its step
  /// ends.
  /// @throws std::runtime_error if that takes more threads than there may be
  virtual void hand_over_core(core_loss why) = 0;

  /// The calling thread does not return to the executor yet, although it has just ended a step.
  virtual void going_on() noexcept = 0;

  virtual const sleepers& sleeping() const noexcept = 0;
  virtual const sleepers& called() const noexcept = 0;
  virtual weir::alarms& alarms() noexcept = 0;

  /// Which of its threads the calling one is, and since when and why others may use its core, if
  /// they may.
  struct whereabouts {
    std::uint16_t thread = 0;
    core_loss core = core_loss::none;
    trace_slice::time lost_at = 0;
  };
  virtual whereabouts of_this_thread() const noexcept = 0;

 protected:
  ~scheduler() = default;
};

/// What a thread runs at a time: one node, or a chain of nodes that were fused, each of which leads
/// to the next alone. Run by at most one thread at a time, which is what `state` (see
/// basic_readiness) sees to.
///
/// To the outside a chain is one node: what comes in comes in at its first, what goes out goes out
/// at its last. Its nodes take turns, each as long as there is room in the channel to the next, so
/// that what lies between them stays in the core's nearest cache. One that must wait in the middle
/// of a turn lets those behind it take theirs.
class activation {
 public:
  enum class outcome {
    again,    ///< the budget is used up: enqueue it again
    waiting,  ///< somebody will make it ready; it must not be touched
    ended,    ///< call `run_context::one_ended` once nothing points to it
  };

  static constexpr std::uint64_t turn_nanoseconds = 100'000;

  /// @param where_to_run as the executor understands it;
  /// @param on_core the processor to stay on, or -1
  activation(run_context& run, scheduler& executor, node_traits where_to_run, int on_core);
  activation(const activation&) = delete;
  activation& operator=(const activation&) = delete;

  /// Before the first `run`: another node, behind the last one.
  /// @return it, which lives as long as this
  running_node& add(behaviour& what, const node_description& node);

  /// Before the first `run`: `to_next` leads from the node added last but one to the one added
  /// last.
  void join(const channel& to_next) { inner_.push_back(&to_next); }

  /// Before the first `run`: has what it does recorded. `log` outlives the run.
  void record_in(trace_log& log) noexcept { log_ = &log; }

  /// Instead of the first `run`, where the run ends before it begins.
  void never_run() noexcept;

  /// When a run began and ended, on the steady clock.
  struct times {
    std::chrono::steady_clock::time_point began, ended;
  };

  /// Runs it until it waits, ends, or has used up its budget. Only after it was enqueued.
  /// @param when is set
  outcome run(times& when);

  /// From inside user code of `sender`: waits until what it has spilled could go on.
  /// @throws stopped
  void wait_in_place(running_node& sender);

  /// From inside user code of `sender`: the nodes behind it take a turn.
  /// @return whether there are any
  bool let_those_behind_run(running_node& sender);

  /// Any thread, after a full fence that follows the news (see `basic_readiness`).
  void notify(cause why) noexcept { nodes_.front()->notify(why); }
  /// For `running_node`: somebody's notification has made it ready.
  void make_ready(cause why) noexcept;

  /// The thread of its own that it has, while it waits for input: notifies itself if there is some,
  /// of which the producer's notification is still to come.
  /// @return whether it is ready by that, so that nobody unparks it
  bool wake_itself() noexcept;

  /// Any thread, while some thread runs it: makes its consumers ready for which something is
  /// written.
  void offer() noexcept {
    ports& io = nodes_.back()->io;
    for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).offer();
  }

  /// Whether several channels lead to it, so that waiting a little brings it more items at once.
  bool gathers() noexcept {
    ports& io = nodes_.front()->io;
    return io.ins() > 1 || (io.ins() == 1 && io.in().width() > 1);
  }

  /// How long it ran the last time, in nanoseconds. Whoever has it in a queue, or has taken it from
  /// there.
  std::uint64_t last_run() const noexcept { return last_run_; }

  /// How often it began to run, or went on after it had waited in the middle. Any thread that found
  /// it waiting: exact.
  std::uint64_t times_run() const noexcept { return times_run_.get(); }

  /// The monitor, now and then: notes that it has not come back since the last call, for `fill`.
  void note_long_run() noexcept;

  bool is_source() const noexcept { return nodes_.front()->io.ins() == 0; }
  /// Of the node at work, or of the one that was last. Any thread.
  const std::string& path() const noexcept { return at_work_.load(std::memory_order_acquire)->io.path(); }
  /// The counters of one of its nodes. Any thread; what a step under way has done is part of them,
  /// as far as it is known.
  void fill(const running_node& node, node_report& r) const noexcept;
  run_context& context() noexcept { return run_; }
  const sleepers& sleeping() const noexcept { return executor_.sleeping(); }
  const sleepers& called() const noexcept { return executor_.called(); }
  weir::alarms& alarms() noexcept { return executor_.alarms(); }

  readiness state;
  const node_traits traits;
  const int core;
  parker sleeping_place;             // of the thread that waits for it: its own, or one that waits in place
  activation* queue_next = nullptr;  // in a pool's queue
  activation* queue_previous = nullptr;
  unsigned queued_at = 0;

 private:
  using clock = std::chrono::steady_clock;
  class time_out_of_turn;

  static constexpr std::uint64_t never_run_yet = ~std::uint64_t{0};

  progress step(clock::time_point& at, std::uint64_t& items) noexcept;
  std::uint64_t take_turns(std::size_t first, clock::time_point& at, bool ends_step) noexcept;
  std::size_t budget(std::size_t node) const noexcept;
  std::size_t behind(const running_node& sender) const noexcept;
  progress outlook() const noexcept;
  bool has_input() const noexcept;
  void is_ready_now() noexcept;
  void fill_long_run(const running_node& node, node_report& r) const noexcept;
  bool stopping() const noexcept { return run_.stopping.load(std::memory_order_relaxed); }
  void flush() noexcept;
  void offer_all_room() noexcept;
  void record(clock::rep from, clock::rep to, progress how, std::uint64_t items, std::uint32_t steps) noexcept;
  void record_what_is_asked() noexcept;

  run_context& run_;
  scheduler& executor_;
  std::vector<std::unique_ptr<running_node>> nodes_;
  std::vector<const channel*> inner_;  // from each node to the next
  std::atomic<running_node*> at_work_{nullptr};
  mean_cost cost_;            // of an item all the way through
  trace_log* log_ = nullptr;  // null: nothing is recorded
  counter<std::uint64_t> times_run_;
  std::uint64_t last_run_ = never_run_yet;
  counter<pid_t> thread_;  // that runs it, or ran it last
  // The monitor's: how often it had run when that was last seen, and of a run that was seen twice,
  // which it was, when that was, and what its thread had used until then.
  std::uint64_t seen_running_ = 0;
  counter<std::uint64_t> long_run_;
  counter<clock::rep> long_run_seen_;
  counter<clock::rep> long_run_cpu_;
  clock::rep ready_at_ = 0;       // for the current step
  clock::rep step_began_ = 0;     // of the current step
  bool woken_by_unpark_ = false;  // written by the runner before it leaves
  // Whether the step waited for room in the middle: news of input did not count then, so what it
  // saw of its input before that must not make it wait for input.
  bool looked_away_ = false;

  // Counters; the runner's, but for ready_since_, which its notifier writes. Times are those of
  // `clock`.
  counter<clock::rep> ready_;
  counter<clock::rep> waiting_input_;
  counter<clock::rep> waiting_room_;
  counter<clock::rep> left_;
  counter<cause> left_for_;
  std::atomic<clock::rep> ready_since_{0};
};

}  // namespace weir
