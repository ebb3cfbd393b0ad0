// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_MPMCQUEUES_HPP
#define WEIR_FF_MPMCQUEUES_HPP

#include <ff/config.hpp>
#include <ff/sysdep.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace ff {

/// A queue of pointers for several producers and consumers, of fixed size.
///
/// **Memory order.** Each slot has a turn: `i` says that the producer number `i` may write it, `i +
/// 1` that the consumer number `i` may read it. A thread takes a number by a compare-and-swap, and
/// hands the slot on by a store of the next turn (release), which pairs with the load of the turn
/// (acquire).
class MPMC_Ptr_Queue {
 public:
  MPMC_Ptr_Queue() = default;
  MPMC_Ptr_Queue(const MPMC_Ptr_Queue&) = delete;
  MPMC_Ptr_Queue& operator=(const MPMC_Ptr_Queue&) = delete;

  /// Must be called first. @param size is rounded up to a power of two
  bool init(std::size_t size) {
    if (size == 0) return false;
    size = nextPowerOf2(size < 2 ? std::size_t{2} : size);
    slots_ = std::make_unique<slot[]>(size);
    for (std::size_t i = 0; i != size; ++i) slots_[i].turn.store(i, std::memory_order_relaxed);
    mask_ = size - 1;
    return true;
  }

  /// @return false if the queue is full
  bool push(void* const what) {
    for (std::size_t number = next_write_.load(std::memory_order_relaxed);;) {
      slot& to = slots_[number & mask_];
      const std::size_t turn = to.turn.load(std::memory_order_acquire);
      if (turn == number) {
        if (!next_write_.compare_exchange_weak(number, number + 1, std::memory_order_relaxed)) continue;
        to.what = what;
        to.turn.store(number + 1, std::memory_order_release);
        return true;
      }
      if (static_cast<std::intptr_t>(turn - number) < 0) return false;
      number = next_write_.load(std::memory_order_relaxed);
    }
  }

  /// @return false if the queue is empty
  bool pop(void** what) {
    for (std::size_t number = next_read_.load(std::memory_order_relaxed);;) {
      slot& from = slots_[number & mask_];
      const std::size_t turn = from.turn.load(std::memory_order_acquire);
      if (turn == number + 1) {
        if (!next_read_.compare_exchange_weak(number, number + 1, std::memory_order_relaxed)) continue;
        *what = from.what;
        from.turn.store(number + mask_ + 1, std::memory_order_release);
        return true;
      }
      if (static_cast<std::intptr_t>(turn - (number + 1)) < 0) return false;
      number = next_read_.load(std::memory_order_relaxed);
    }
  }

  std::size_t length() const {
    const std::size_t read = next_read_.load(std::memory_order_acquire);  // first, so that it can't be the larger one
    return next_write_.load(std::memory_order_relaxed) - read;
  }
  bool empty() const { return length() == 0; }

 private:
  struct slot {
    std::atomic<std::size_t> turn;
    void* what;
  };

  std::unique_ptr<slot[]> slots_;
  std::size_t mask_ = 0;
  alignas(CACHE_LINE_SIZE) std::atomic<std::size_t> next_write_{0};
  alignas(CACHE_LINE_SIZE) std::atomic<std::size_t> next_read_{0};
};

/// A queue of pointers for several producers and consumers that grows. Takes a lock.
class uMPMC_Ptr_Queue {
 public:
  bool init(unsigned long /*queues*/ = 4, std::size_t /*size*/ = 0) { return true; }

  bool push(void* const what) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(what);
    return true;
  }
  bool pop(void** what) {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return false;
    *what = waiting_.front();
    waiting_.pop_front();
    return true;
  }
  bool empty() {
    const std::lock_guard lock(mutex_);
    return waiting_.empty();
  }

 private:
  std::mutex mutex_;
  std::deque<void*> waiting_;
};

/// Michael's and Scott's queue, and several of them. Here the queue above.
using MSqueue = uMPMC_Ptr_Queue;
class multiMSqueue : public uMPMC_Ptr_Queue {
 public:
  explicit multiMSqueue(std::size_t /*queues*/ = 4) {}
};

}  // namespace ff

#endif
