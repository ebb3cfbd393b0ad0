// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/activation.hpp"
#include "run/ready_queue.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
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

/// One worker is enough for up to this many ready activations, if all are light.
inline constexpr std::size_t few_activations = 4;
inline constexpr int most_search_rounds = 16;  ///< searches of a worker before it sleeps

struct pool_core;

/// The record of a thread of a pool. Not freed before the pool. A thread that has ended its work
/// waits in `pool_threads` for new work.
struct pool_thread {
  std::thread handle;
  parker place;
  pool_core* core = nullptr;                  // changed only by the thread itself, or while it is parked
  activation* own = nullptr;                  // activation that only this thread runs
  std::atomic<activation*> current{nullptr};  // activation that it runs, for scans
  std::atomic<std::uint64_t> scanning{0};     // odd while it looks at other threads' activations
  activation::run_record this_run;            // of the activation that it runs on its core
  bool core_lost = false;                     // within a step
  bool pinned = false;
  std::uint64_t step = 0;  // the value of core->step within a step
  unsigned picks = 0;
  int search_rounds = most_search_rounds;
  light_load light;
  bool goes_on = false;      // the activation it ran last has used up its turn, and is ready again
  std::uint16_t number = 0;  // number in the pool; constant
  // For the current step, if the thread itself gave its core away:
  core_loss gave_away_for = core_loss::none;
  std::chrono::steady_clock::rep gave_away_at = 0;
  // For the current step, if the monitor took the core; published by the change of
  // `pool_core::step`:
  std::atomic<core_loss> taken_for{core_loss::none};
  std::atomic<std::chrono::steady_clock::rep> taken_at{0};
};

/// A core of a pool: its queue, and the thread that owns it.
struct alignas(cache_line) pool_core {
  ready_queue ready;
  std::atomic<std::uint64_t> step{0};
  std::atomic<std::uint64_t> step_takes{0};  // expected nanoseconds, from the last run of the same activation
  std::atomic<pool_thread*> owner{nullptr};
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

/// All threads of a pool: those at work, and the spares, which are parked.
class pool_threads {
 public:
  static constexpr std::size_t most = std::size_t{1} << 14;

  /// @param main run by each thread, with its record; it waits at `place` for its first work
  explicit pool_threads(std::function<void(pool_thread&)> main);

  /// Returns a spare, or a new thread. It is the caller's to give it work and to unpark it. Any
  /// thread. @throws std::runtime_error at the limit, or if the system gives no thread
  pool_thread& take();
  void put_back(pool_thread& spare) noexcept;

  /// Sets the maximum number of threads at work at a time.
  void set_limit(std::size_t limit) noexcept { limit_.store(limit, std::memory_order_relaxed); }

  /// Calls `f` for each thread made so far. Any thread; their records stay until `join_all`.
  template <class F>
  void for_each(F&& f) const {
    const std::size_t count = count_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i != count; ++i) f(*(*records_)[i].load(std::memory_order_acquire));
  }

  /// Wakes all threads, waits until they have ended, and frees the records.
  void join_all() noexcept;

 private:
  const std::function<void(pool_thread&)> main_;
  std::mutex mutex_;
  std::vector<pool_thread*> spares_;
  std::unique_ptr<std::array<std::atomic<pool_thread*>, most>> records_;
  std::atomic<std::size_t> count_{0};
  std::atomic<std::size_t> limit_{most};
};

}  // namespace weir::detail
