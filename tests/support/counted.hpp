// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace weir_test {

/// Number of `counted` items alive, and its maximum since the last reset.
struct census {
  static inline std::atomic<long> alive{0};
  static inline std::atomic<long> peak{0};

  static void reset() {
    alive = 0;
    peak = 0;
  }
  static void born() {
    const long now = ++alive;
    long seen = peak.load();
    while (now > seen && !peak.compare_exchange_weak(seen, now)) {
    }
  }
  static void died() { --alive; }
};

/// A move-only item, which the census counts while it carries a value.
class counted {
 public:
  explicit counted(long value) : value_(value), carries_(true) { census::born(); }
  counted(counted&& other) noexcept : value_(other.value_), carries_(std::exchange(other.carries_, false)) {}
  counted& operator=(counted&& other) noexcept {
    if (carries_) census::died();
    value_ = other.value_;
    carries_ = std::exchange(other.carries_, false);
    return *this;
  }
  ~counted() {
    if (carries_) census::died();
  }
  long value() const { return value_; }

 private:
  long value_;
  bool carries_;
};

/// Reports that it owns a quarter of a megabyte.
struct large : counted {
  using counted::counted;
  friend std::size_t owned_bytes(const large&) noexcept { return std::size_t{256} * 1024; }
};

}  // namespace weir_test
