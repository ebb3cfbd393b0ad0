// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace weir::detail {

/// Whether the states of nodes are timed for the report: the CMake option WEIR_COUNTERS. Benchmarks
/// measure with it what the times cost.
#ifdef WEIR_NO_COUNTERS
inline constexpr bool states_are_timed = false;
#else
inline constexpr bool states_are_timed = true;
#endif

/// A number that one thread at a time writes and any thread may read. The value read may be
/// slightly out of date.
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

/// Recent mean cost of an item.
class mean_cost {
 public:
  /// Adds a measurement. @return mean nanoseconds per item, at least 1; 0 while no item is known
  std::uint32_t add(std::uint64_t items, std::uint64_t nanoseconds) noexcept {
    nanoseconds_ += nanoseconds;
    items_ += items;
    if (items_ == 0) return 0;
    const std::uint64_t mean = std::clamp<std::uint64_t>(nanoseconds_ / items_, 1, UINT32_MAX);
    if (items_ > memory) {
      items_ /= 2;
      nanoseconds_ /= 2;
    }
    return static_cast<std::uint32_t>(mean);
  }

 private:
  static constexpr std::uint64_t memory = 1024;  // number of items that the mean covers

  std::uint64_t items_ = 0;
  std::uint64_t nanoseconds_ = 0;
};

}  // namespace weir::detail
