// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/activation.hpp"
#include "run/join.hpp"
#include "run/pool_threads.hpp"
#include "run/searchers.hpp"
#include "run/watched_runs.hpp"

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace weir::detail {

/// The scheduler: worker threads that run activations, one per core, and steal from each other; and
/// all other threads that weir needs.
///
/// A *core* of the pool stands for one of the machine: it has a queue of ready activations and a
/// thread that owns it at the moment. A thread that blocks inside user code loses its core to a
/// spare thread. It gives the core away itself if it knows that it will wait; otherwise the monitor
/// takes it. The thread then ends its step without a core, and becomes a spare. Activations with a
/// thread of their own run on spare threads as well.
///
/// **Wake-ups.** At the end of a step a worker runs the activations that the step has made ready
/// itself, if they are light and light runs take a small share of its time: waking another worker
/// would take longer. It wakes a worker for the rest when it begins a step that is not light, or
/// when the rest is more than a few. In the middle of a step it wakes a worker for a consumer that
/// has got an item, since the node may go on for long after it has sent one. A producer that has
/// got room may wait for the end of a short step, if the producer is light. So the activations in
/// the queue of a core are news (see `basic_searchers`) if the core `shares`. The expected duration
/// of a step is that of the last run of the same activation. If the expectation was wrong, the
/// monitor finds out after some milliseconds.
///
/// **Invariant.** `pool_core::step` is even between steps and odd within one. The thread that
/// changes it from odd to even decides who owns the core afterwards. This is the owner at the end
/// of its step, the owner when it hands the core over, or the monitor.
class pool final : public scheduler {
 public:
  /// Call `prepare_process` before.
  /// @param workers at least 1
  /// @throws std::invalid_argument if there are more than a pool may have; std::runtime_error if
  /// the system gives no thread
  /// @param pins the processor on which the worker of each core stays; empty: any processor
  explicit pool(std::size_t workers, const std::vector<int>& pins = {});
  ~pool();

  /// Makes the process ready for pools: sees to forks, and keeps the library loaded whose code the
  /// threads run, because they may outlive a `dlclose` of it. Call it without the process lock: a
  /// fork holds the lock of the functions that this calls and waits for that one, and a thread that
  /// loads a library holds the lock of the loader while it may wait for that one.
  static void prepare_process();

  /// Returns the process-wide pool, with one worker per core. Made at the first call, and made anew
  /// in a forked child; never destroyed.
  static pool& shared();

  /// The pool that the calling thread belongs to; otherwise the process-wide one.
  static pool& here();

  /// The activation that the calling thread runs; null if it runs none.
  static activation* activation_of_this_thread() noexcept;

  std::size_t workers() const noexcept { return cores_.size(); }

  /// Implements `weir::fork_join` with the workers of this pool.
  void fork_join(std::size_t pieces, piece_function f);

  // scheduler
  void enqueue(activation& ready, cause why) noexcept override;
  void hand_over_core(core_loss why) override;
  void going_on() noexcept override;
  const sleepers& sleeping() const noexcept override { return sleepers_; }
  const sleepers& called() const noexcept override { return called_; }
  core_status of_this_thread() const noexcept override;
  weir::detail::alarms& alarms() noexcept override { return alarms_; }

  /// Gives an activation a thread of its own, which starts running it.
  /// @throws std::runtime_error at the thread limit
  void run_on_own_thread(activation& what);

  /// Returns when no thread looks at these activations any more. All of them have ended.
  void wait_until_unseen(const std::vector<std::unique_ptr<activation>>& ended) noexcept;

  /// Lets the monitor look at `run` three times a second, until `unwatch`, which waits for a look
  /// that is under way.
  void watch(watched_run& run);
  void unwatch(watched_run& run) noexcept;

  /// Makes all senders of the pool check at each item whether they may send, beginning with the
  /// next item or the one after it. Each call lasts until an `end_call`.
  void call_senders() noexcept;
  void end_call() noexcept;

  /// Sets the maximum number of threads at work at a time, as the latest run requests it.
  void set_max_threads(std::size_t most) noexcept { threads_.set_limit(most); }

 private:
  using thread = pool_thread;

  static void see_forks();
  static void stay_loaded() noexcept;
  void shut_down() noexcept;
  void main(thread& me);
  void work(thread& me);
  void run_own(thread& me);
  void leave_rest() noexcept;
  void leave_rest_to_monitor() noexcept;
  bool run_one(thread& me, activation& ready);
  bool help(thread& me) noexcept;
  void begin_step(thread& me, std::uint64_t takes) noexcept;
  bool end_step(thread& me) noexcept;
  activation* pick(thread& me) noexcept;
  activation* steal(thread& me) noexcept;
  activation* search(thread& me) noexcept;
  bool scan(thread& me) noexcept;
  void sleep(thread& me) noexcept;
  bool something_ready() const noexcept;
  bool help_is_needed() const noexcept;
  bool something_to_take(const thread& me) const noexcept;
  bool fenced_for_sleepers() const noexcept;
  void wake_one() noexcept;
  void wake_any() noexcept;
  void call_helpers(std::size_t most) noexcept;
  bool become_spare(thread& me) noexcept;
  void give_core(pool_core& core, thread& to) noexcept;
  void stay_on(thread& me, int processor) noexcept;
  void monitor();
  void look_at(pool_core& core, std::chrono::steady_clock::time_point now, std::chrono::nanoseconds since_last);
  void sleep_until_called() noexcept;
  void look_at_runs() noexcept;
  void fail_a_waiting_one(const std::string& why) noexcept;

  const cpu_set_t allowed_;  // processors this process may use, for threads that need not stay on one any more
  sleepers sleepers_;        // sleeping threads, and calls to the senders
  sleepers called_ = sleepers::none();
  std::vector<std::unique_ptr<pool_core>> cores_;
  ready_queue injected_;
  open_joins joins_;
  searchers searchers_{sleepers_};
  std::atomic<bool> stop_{false};

  std::mutex idle_mutex_;
  std::vector<thread*> idle_;  // sleeping owners of cores
  std::atomic<std::size_t> idle_count_{0};

  pool_threads threads_;

  parker monitor_place_;
  std::atomic<bool> monitor_asleep_{false};
  std::unique_ptr<std::thread> monitor_;

  weir::detail::alarms alarms_;

  watched_runs watched_;

  static thread_local constinit thread* this_thread_;
  static thread_local constinit pool* this_pool_;
};

}  // namespace weir::detail
