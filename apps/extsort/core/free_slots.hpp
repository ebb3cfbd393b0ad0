// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace extsort {

/// A set of free slots. Any thread may call.
class free_slots {
 public:
  explicit free_slots(std::size_t count) {
    for (std::size_t i = count; i != 0; --i) free_.push_back(i - 1);
  }
  /// Takes a slot, waiting for one until `stopped()`, which is polled.
  /// @return none: stopped or closed
  template <class Stopped>
  std::optional<std::size_t> take_unless(Stopped&& stopped) {
    constexpr auto moment = std::chrono::milliseconds(20);
    std::unique_lock held(mutex_);
    while (!came_.wait_for(held, moment, [this] { return is_closed_ || !free_.empty(); })) {
      if (stopped()) return std::nullopt;
    }
    return taken();
  }
  void give_back(std::size_t slot) {
    {
      const std::lock_guard held(mutex_);
      free_.push_back(slot);
    }
    came_.notify_one();
  }
  /// Ends all waits; no caller gets a slot any more.
  void close() {
    {
      const std::lock_guard held(mutex_);
      is_closed_ = true;
    }
    came_.notify_all();
  }

 private:
  std::optional<std::size_t> taken() {
    if (is_closed_) return std::nullopt;
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::size_t> free_;
  bool is_closed_ = false;
};

}  // namespace extsort
