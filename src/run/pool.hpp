// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/activation.hpp"
#include "run/join.hpp"
#include "run/searchers.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace weir::detail {

/// Nanoseconds. A run shorter than this ends before another thread would be awake.
inline constexpr std::uint64_t light_run = 5'000;
/// A step that takes less is short: a light activation that has got room waits for its end.
inline constexpr std::uint64_t short_step = 2 * activation::turn_nanoseconds;

inline bool is_light(const activation& ready) noexcept { return ready.last_run() < light_run; }

/// Measures the share of a worker's time that light runs take: they fill a bucket that time
/// empties.
class light_load {
 public:
  void add(const activation::run_record& run) noexcept {
    const std::int64_t took = (run.ended - run.began).count();
    level_ = std::max<std::int64_t>(level_ - (run.ended - last_).count() / share, 0);
    if (took < static_cast<std::int64_t>(light_run)) level_ = std::min(level_ + took, most);
    last_ = run.ended;
  }

  /// Whether light runs recently took only a small share of the worker's time. If so, another
  /// worker could take over no more than that share.
  bool is_little() const noexcept { return level_ < most / 2; }

 private:
  static constexpr std::int64_t share = 16;
  static constexpr std::int64_t most = 40'000;

  std::int64_t level_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

/// A double-ended queue of ready activations, linked through the activations. Its owner works at
/// the back, thieves at the front. Any thread. Uses a lock, since it is taken only once for a step
/// of hundreds of items.
class ready_queue {
 public:
  /// @param now an increasing number, for `pop_overdue`
  void push_back(activation& ready, unsigned now) noexcept;
  void push_front(activation& ready, unsigned now) noexcept;
  activation* pop_back() noexcept;
  activation* pop_front() noexcept;
  /// Takes the activation that has waited longest, if it was pushed `age` or more before `now`.
  activation* pop_overdue(unsigned now, unsigned age) noexcept;

  /// A hint. Exact for a thread that executed a full fence after announcing that it is about to
  /// sleep.
  std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }

 private:
  activation* taken_out(activation* one) noexcept;
  void count(std::size_t change) noexcept;

  std::mutex mutex_;
  activation* front_ = nullptr;
  activation* back_ = nullptr;
  std::atomic<std::size_t> size_{0};
};

/// A run that the pool's monitor looks at now and then.
class watched_run {
 public:
  /// Begins the look. The run can't end until it returns. @return whether `act` must be called
  virtual bool look() noexcept = 0;
  /// Acts on the result of the look. This run does not end meanwhile; other runs may begin and end.
  virtual void act() noexcept = 0;

 protected:
  ~watched_run() = default;
};

/// The scheduler: worker threads that run activations, one per core, and steal from each other; and
/// all other threads that weir needs.
///
/// A *slot* stands for a core: its queue, and the thread that owns it at the moment. A thread that
/// blocks inside user code loses its slot to a spare thread. It gives the slot away itself if it
/// knows that it will wait; otherwise the monitor takes it. The thread then ends its step without a
/// slot, and becomes a spare. Activations with a thread of their own run on spare threads as well.
///
/// **Wake-ups.** At the end of a step a worker runs the activations that the step has made ready
/// itself, if they are light and light runs take a small share of its time: waking another worker
/// would take longer. It wakes a worker for the rest when it begins a step that is not light, or
/// when the rest is more than a few. In the middle of a step it wakes a worker for a consumer that
/// has got an item, since the node may go on for long after it has sent one. A producer that has
/// got room may wait for the end of a short step, if the producer is light. So the activations in a
/// slot are news (see `basic_searchers`) if the slot `shares`. The expected duration of a step is
/// that of the last run of the same activation. If the expectation was wrong, the monitor finds out
/// after some milliseconds.
///
/// **Invariant.** `slot::step` is even between steps and odd within one. The thread that changes it
/// from odd to even decides who owns the slot afterwards. This is the owner at the end of its step,
/// the owner when it hands the slot over, or the monitor.
class pool final : public scheduler {
 public:
  /// @param workers at least 1
  /// @throws std::invalid_argument if there are more than a pool may have; std::runtime_error if
  /// the system gives no thread
  /// @param pins the processor on which the worker of each slot stays; empty: any processor
  explicit pool(std::size_t workers, const std::vector<int>& pins = {});
  ~pool();

  /// Returns the process-wide pool, with one worker per core. Made at the first call, and made anew
  /// in a forked child; never destroyed.
  static pool& shared();

  /// False in a child that was forked after the pool was made: the pool has no threads there.
  bool has_its_threads() const noexcept;

  /// The pool that the calling thread belongs to; otherwise the process-wide one.
  static pool& here();

  /// The run whose node the calling thread runs; null if it runs none.
  static run_context* run_of_this_thread() noexcept;

  std::size_t workers() const noexcept { return slots_.size(); }

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
  void set_max_threads(std::size_t most) noexcept { max_threads_.store(most, std::memory_order_relaxed); }

 private:
  struct slot;

  static constexpr int most_search_rounds = 16;  // searches of a worker before it sleeps

  /// The record of a thread. Not freed before the pool. A thread that has ended its work waits in
  /// `spares_` for new work.
  struct thread {
    std::thread handle;
    parker place;
    slot* core = nullptr;                       // changed only by the thread itself, or while it is parked
    activation* own = nullptr;                  // activation that only this thread runs
    std::atomic<activation*> current{nullptr};  // activation that it runs, for scans
    std::atomic<std::uint64_t> scanning{0};     // odd while it looks at other threads' activations
    activation::run_record this_run;            // of the activation that it runs in its slot
    bool slot_lost = false;                     // within a step
    bool pinned = false;
    std::uint64_t step = 0;  // the value of core->step within a step
    unsigned picks = 0;
    int search_rounds = most_search_rounds;
    light_load light;
    bool goes_on = false;      // the activation it ran last has used up its turn, and is ready again
    std::uint16_t number = 0;  // number in the pool; constant
    // For the current step, if the thread itself gave its slot away:
    core_loss gave_away_for = core_loss::none;
    std::chrono::steady_clock::rep gave_away_at = 0;
    // For the current step, if the monitor took the slot; published by the change of `slot::step`:
    std::atomic<core_loss> taken_for{core_loss::none};
    std::atomic<std::chrono::steady_clock::rep> taken_at{0};
  };

  struct alignas(cache_line) slot {
    ready_queue ready;
    std::atomic<std::uint64_t> step{0};
    std::atomic<std::uint64_t> step_takes{0};  // expected nanoseconds, from the last run of the same activation
    std::atomic<thread*> owner{nullptr};
    int pin = -1;  // the processor to stay on; constant
    // Used only by the monitor:
    std::uint64_t seen_step = 0;
    std::int64_t seen_cpu = 0;
    std::chrono::steady_clock::time_point since{};

    bool is_in_step() const noexcept { return step.load(std::memory_order_acquire) % 2 == 1; }
    /// Whether an activation in its queue would have to wait for long, so that other workers may
    /// take it. Any thread, with the same guarantee as `ready_queue::size`.
    bool shares() const noexcept;
  };

  static constexpr std::size_t threads_most = std::size_t{1} << 14;

  static void forget_threads_when_forked();
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
  thread* take_spare();
  void return_spare(thread& spare) noexcept;
  bool become_spare(thread& me) noexcept;
  void give_slot(slot& core, thread& to) noexcept;
  void stay_on(thread& me, int processor) noexcept;
  void monitor();
  void look_at(slot& core, std::chrono::steady_clock::time_point now, std::chrono::nanoseconds since_last);
  void sleep_until_called() noexcept;
  void look_at_runs() noexcept;
  void fail_a_waiting_one(const std::string& why) noexcept;

  const cpu_set_t allowed_;      // processors this process may use, for threads that need not stay on one any more
  const unsigned made_after_;    // number of forks before this pool was made
  pool* before_fork_ = nullptr;  // the parent's pool
  sleepers sleepers_;            // sleeping threads, and calls to the senders
  sleepers called_ = sleepers::none();
  std::vector<std::unique_ptr<slot>> slots_;
  ready_queue injected_;
  open_joins joins_;
  searchers searchers_{sleepers_};
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> max_threads_{threads_most};

  std::mutex idle_mutex_;
  std::vector<thread*> idle_;  // sleeping owners of slots
  std::atomic<std::size_t> idle_count_{0};

  std::mutex threads_mutex_;
  std::vector<thread*> spares_;
  std::unique_ptr<std::array<std::atomic<thread*>, threads_most>> threads_;
  std::atomic<std::size_t> thread_count_{0};

  parker monitor_place_;
  std::atomic<bool> monitor_asleep_{false};
  std::unique_ptr<std::thread> monitor_;

  weir::detail::alarms alarms_;

  std::mutex watched_mutex_;
  std::condition_variable looked_;
  std::vector<watched_run*> watched_;
  watched_run* looked_at_ = nullptr;
  bool nothing_watched_ = false;  // the monitor sleeps without a timeout

  static thread_local constinit thread* this_thread_;
  static thread_local constinit pool* this_pool_;
};

}  // namespace weir::detail
