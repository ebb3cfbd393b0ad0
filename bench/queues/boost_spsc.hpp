// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../waiting.hpp"

#include <boost/lockfree/spsc_queue.hpp>

#include <cstddef>
#include <cstdint>

namespace weir_bench {

/// boost::lockfree::spsc_queue, one item at a time.
class boost_spsc {
 public:
  static constexpr const char* name = "boost";

  explicit boost_spsc(std::size_t capacity) : queue_(capacity) {}

  bool try_push(std::int64_t item) { return queue_.push(item); }
  bool try_pop(std::int64_t& item) { return queue_.pop(item); }

  template <class Consume>
  void take(std::int64_t count, Consume&& consume) {
    for (std::int64_t item = 0; count != 0; --count) {
      until([&] { return try_pop(item); });
      consume(item);
    }
  }

  void push(std::int64_t item) {
    until([&] { return try_push(item); });
  }
  void flush() {}

 private:
  boost::lockfree::spsc_queue<std::int64_t> queue_;
};

/// The same through its batch interface: pushes 32 items at once, consumes all available items at
/// once.
class boost_spsc_batched {
 public:
  static constexpr const char* name = "boost_batched";

  explicit boost_spsc_batched(std::size_t capacity) : queue_(capacity) {}

  /// `count` must be the number of all items that are ever pushed.
  template <class Consume>
  void take(std::int64_t count, Consume&& consume) {
    std::int64_t taken = 0;
    while (taken != count) {
      until([&] {
        const std::size_t found = queue_.consume_all(consume);
        taken += static_cast<std::int64_t>(found);
        return found != 0;
      });
    }
  }

  void push(std::int64_t item) {
    batch_[filled_++] = item;
    if (filled_ == batch_size) flush();
  }
  void flush() {
    std::size_t pushed = 0;
    until([&] {
      pushed += queue_.push(batch_ + pushed, filled_ - pushed);
      return pushed == filled_;
    });
    filled_ = 0;
  }

 private:
  static constexpr std::size_t batch_size = 32;
  boost::lockfree::spsc_queue<std::int64_t> queue_;
  alignas(64) std::int64_t batch_[batch_size] = {};
  std::size_t filled_ = 0;
};

}  // namespace weir_bench
