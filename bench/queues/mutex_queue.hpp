// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace weir_bench {

/// A queue as written by hand: a mutex, two condition variables and a deque. Waits in the operating
/// system.
class mutex_queue {
 public:
  static constexpr const char* name = "mutex_queue";

  explicit mutex_queue(std::size_t capacity) : capacity_(capacity) {}

  void push(std::int64_t item) {
    {
      std::unique_lock lock(mutex_);
      room_.wait(lock, [&] { return items_.size() < capacity_; });
      items_.push_back(item);
    }
    some_.notify_one();
  }
  void flush() {}

  std::int64_t pop() {
    std::unique_lock lock(mutex_);
    some_.wait(lock, [&] { return !items_.empty(); });
    const std::int64_t item = items_.front();
    items_.pop_front();
    lock.unlock();
    room_.notify_one();
    return item;
  }

  template <class Consume>
  void take(std::int64_t count, Consume&& consume) {
    for (; count != 0; --count) consume(pop());
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable some_;
  std::condition_variable room_;
  std::deque<std::int64_t> items_;
};

}  // namespace weir_bench
