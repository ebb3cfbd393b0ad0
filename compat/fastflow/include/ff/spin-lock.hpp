// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_SPIN_LOCK_HPP
#define WEIR_FF_SPIN_LOCK_HPP

#include <ff/utils.hpp>

#include <atomic>

namespace ff {

/// A lock whose waiters look again and again. After some looks they let other threads run.
class alignas(CACHE_LINE_SIZE) lock_t_ {
 public:
  bool try_lock() {
    return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire);
  }
  void lock() {
    for (int looks = 0; !try_lock(); ++looks) {
      if (looks < 100) {
        detail::pause_thread();
      } else {
        ff_relax();
      }
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }  // pairs with the acquire in try_lock()

 private:
  std::atomic<bool> taken_{false};
};

/// std::atomic_flag that can be copied: the copy is clear.
class AtomicFlagWrapper {
 public:
  AtomicFlagWrapper() = default;
  AtomicFlagWrapper(const AtomicFlagWrapper&) {}
  AtomicFlagWrapper& operator=(const AtomicFlagWrapper&) = delete;

  bool test_and_set(std::memory_order order = std::memory_order_seq_cst) { return flag_.test_and_set(order); }
  void clear(std::memory_order order = std::memory_order_seq_cst) { flag_.clear(order); }

 private:
  std::atomic_flag flag_;
};

}  // namespace ff

using lock_t = ff::lock_t_[1];

static inline void init_unlocked(ff::lock_t_* lock) { lock->unlock(); }
static inline void init_locked(ff::lock_t_* lock) { lock->lock(); }
static inline void spin_lock(ff::lock_t_* lock) { lock->lock(); }
static inline void spin_unlock(ff::lock_t_* lock) { lock->unlock(); }

namespace ff {
using ::init_locked;
using ::init_unlocked;
using ::lock_t;
using ::spin_lock;
using ::spin_unlock;
}  // namespace ff

#endif
