// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/channel/parker.hpp"
#include "weir/graph/graph.hpp"
#include "weir/graph/ports.hpp"
#include "weir/run/report.hpp"

#include "run/trace_log.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace weir {

class activation;

/// Whether the calling thread is notifying at the end of a step, so that it will soon run what it made ready itself.
extern thread_local constinit bool ending_step;

/// A number that one thread at a time writes and any may read: what it reads was true a moment ago.
template <class T>
class counter {
 public:
  void set(T value) noexcept { value_.store(value, std::memory_order_relaxed); }
  void add(T more) noexcept { set(get() + more); }
  T get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<T> value_{};
  static_assert(std::atomic<T>::is_always_lock_free);
};

/// What an activation needs of whoever runs it.
class scheduler {
 public:
  /// `ready` became ready: some thread must call its `run`. Any thread.
  virtual void enqueue(activation& ready) noexcept = 0;

  /// The calling thread is about to wait inside user code: others may use its core until its step ends.
  /// @throws std::runtime_error if that takes more threads than there may be
  virtual void hand_over_core(core_loss why) = 0;

  /// The calling thread does not return to the executor yet, although it has just ended a step.
  virtual void going_on() noexcept = 0;

  virtual const sleepers& sleeping() const noexcept = 0;

  /// Which of its threads the calling one is, and since when and why others may use its core, if they may.
  struct whereabouts {
    std::uint16_t thread = 0;
    core_loss core = core_loss::none;
    trace_slice::time lost_at = 0;
  };
  virtual whereabouts of_this_thread() const noexcept = 0;

 protected:
  ~scheduler() = default;
};

/// What the activations of one run share.
class run_context {
 public:
  /// A node failed. The first failure counts; every activation is then told to stop.
  virtual void fail(const std::string& path, std::exception_ptr problem) noexcept = 0;

  /// An activation has ended, and no thread is inside it any more.
  virtual void one_ended() noexcept = 0;

  std::atomic<bool> stopping{false};
  std::atomic<bool> draining{false};

 protected:
  ~run_context() = default;
};

/// One node while it runs: its behaviour, its ports, and where it stands. Run by at most one thread at a time, which is
/// what `state` (see basic_readiness) sees to.
class activation final : public host {
 public:
  enum class outcome {
    again,    ///< the budget is used up: enqueue it again
    waiting,  ///< somebody will make it ready; it must not be touched
    ended,    ///< call `run_context::one_ended` once nothing points to it
  };

  /// @param where_to_run the traits of `node`, as the executor understands them; @param core the processor to stay on, or -1
  activation(run_context& run, scheduler& executor, behaviour& what, const node_description& node,
             node_traits where_to_run, int on_core);

  /// Before the first `run`: has what it does recorded. `log` outlives the run.
  void record_in(trace_log& log) noexcept { log_ = &log; }

  /// Instead of the first `run`, where the run ends before it begins.
  void never_run() noexcept {
    close();
    state.end();
  }

  /// Runs it until it waits, ends, or has used up its budget. Only after it was enqueued.
  outcome run();

  void wait_in_place() override;

  /// For an activation with a thread of its own: whether its thread should look again although nobody notified it.
  bool has_input() noexcept;

  /// Any thread, while some thread runs it: makes its consumers ready for which something is written.
  void offer() noexcept {
    for (std::size_t i = 0; i != io.outs(); ++i) io.out(i).offer();
  }

  /// Whether several channels lead to it, so that waiting a little brings it more items at once.
  bool gathers() noexcept { return io.ins() > 1 || (io.ins() == 1 && io.in().width() > 1); }

  const std::string& path() const noexcept { return io.path(); }
  /// The counters. Any thread; what a step under way has done is part of them, as far as it is known.
  void fill(node_report& r) const noexcept;
  run_context& context() noexcept { return run_; }

  ports io;
  const node_traits traits;
  const int core;
  parker sleeping_place;             // of the thread that waits for it: its own, or one that waits in place
  activation* queue_next = nullptr;  // in a pool's queue
  activation* queue_previous = nullptr;

 private:
  using clock = std::chrono::steady_clock;
  enum class phase : std::uint8_t { starting, running, finishing, draining, ended };

  void make_ready() noexcept override;
  progress advance();
  progress step(std::size_t budget);
  progress guarded_advance() noexcept;
  bool drain();
  bool ask_for_room();
  void flush() noexcept;
  void begin_finish() noexcept;
  void discard() noexcept;
  void close() noexcept;
  std::uint64_t account(clock::time_point from, clock::time_point to) noexcept;
  void record(clock::rep from, clock::rep to, progress how, std::uint64_t items, std::uint32_t steps) noexcept;
  void record_what_is_asked() noexcept;

  run_context& run_;
  scheduler& executor_;
  behaviour& what_;
  trace_log* log_ = nullptr;  // null: nothing is recorded
  clock::rep ready_at_ = 0;   // for the current step
  phase phase_ = phase::starting;
  bool woken_by_unpark_ = false;  // written by the runner before it leaves
  // Whether the step waited for room in the middle: news of input did not count then, so what it saw of its input before that
  // must not make it wait for input.
  bool looked_away_ = false;

  // Counters; the runner's, but for ready_since_, which its notifier writes. Times are those of `clock`, 0 for never.
  std::uint64_t cost_items_ = 0;
  std::uint64_t cost_nanoseconds_ = 0;
  counter<std::uint64_t> items_;  // as of the last step
  counter<std::uint64_t> steps_;
  counter<clock::rep> busy_;
  counter<clock::rep> ready_;
  counter<clock::rep> waiting_input_;
  counter<clock::rep> waiting_room_;
  counter<clock::rep> stepping_since_;          // of the current step
  counter<clock::rep> waited_in_place_;         // in the current step
  counter<clock::rep> waiting_in_place_since_;  // of the current step
  counter<clock::rep> left_;
  counter<cause> left_for_;
  std::atomic<clock::rep> ready_since_{0};
};

}  // namespace weir
