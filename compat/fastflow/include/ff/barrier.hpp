// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_BARRIER_HPP
#define WEIR_FF_BARRIER_HPP

#include <weir/export.hpp>

#include <ff/config.hpp>

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace ff {

/// The base of all barriers. By itself it lets everybody pass.
class WEIR_API ffBarrier {
 public:
  virtual ~ffBarrier() = default;
  /// Sets the number of threads that meet here. @return 0
  virtual int barrierSetup(std::size_t /*threads*/) { return 0; }
  /// Waits for the others. `id` is the number of the caller.
  virtual void doBarrier(std::size_t /*id*/) {}
};

/// Threads wait here until all have come. It may be used again at once. Waiting threads sleep.
class WEIR_API Barrier : public ffBarrier {
 public:
  explicit Barrier(std::size_t /*most*/ = MAX_NUM_THREADS) {}
  Barrier(const Barrier&) = delete;
  Barrier& operator=(const Barrier&) = delete;

  int barrierSetup(std::size_t threads) override {
    const std::lock_guard lock(mutex_);
    threads_ = threads;
    return 0;
  }
  void doBarrier(std::size_t = 0) override {
    std::unique_lock lock(mutex_);
    const std::size_t round = round_;
    if (++here_ >= threads_) {
      here_ = 0;
      ++round_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return round_ != round; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t threads_ = 0;
  std::size_t here_ = 0;
  std::size_t round_ = 0;
};

/// Same as Barrier: here no thread spins while others need its core.
class spinBarrier : public Barrier {
 public:
  using Barrier::Barrier;
};

/// The barrier for threads that spin, or that sleep. Here both sleep.
template <bool spins>
class barrierSelector : public Barrier {
 public:
  using Barrier::Barrier;
};

#ifndef BARRIER_T
#define BARRIER_T ::ff::spinBarrier
#endif

}  // namespace ff

#endif
