// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <cstdint>

namespace weir {

/// How a thread that found nothing to do goes to sleep without missing an item that is being sent
/// at that moment, at the price of one load per send: an event count whose fence is paid by the
/// sleeper.
///
/// The sender stores its item's index, calls `any()` (one relaxed load), and notifies the consumer
/// if it returns true. The sleeper calls `announce()`, looks through everything once more, and
/// sleeps only if it finds nothing.
///
/// **Why that suffices.** `announce` counts the sleeper and then makes every running thread execute
/// a full fence. A sender whose index was stored before that fence is seen by the sleeper's look; a
/// sender that stores it after the fence also loads the count after it, and finds the sleeper.
/// Where the system has no such fence, `any` is true for ever and senders take the way that has a
/// full fence of its own.
template <class Atomics>
class basic_sleepers {
 public:
  basic_sleepers() noexcept : asymmetric_(Atomics::has_fence_heavy()), count_(asymmetric_ ? 0 : 1) {}

  /// None so far. Senders need no fence of their own, since nobody relies on being seen at once.
  static basic_sleepers none() noexcept { return basic_sleepers(true); }

  /// Nobody who sleeps: for senders whose consumer is run by the same thread.
  static const basic_sleepers& nobody() noexcept {
    static const basic_sleepers nobody = none();
    return nobody;
  }

  /// Somebody who never wakes: for senders that must be called back for each item.
  static const basic_sleepers& somebody() noexcept {
    static const basic_sleepers one(true, 1);
    return one;
  }

  /// Whether sleepers pay for the fence; if not, `any` is always true and senders must execute a
  /// full one themselves.
  bool asymmetric() const noexcept { return asymmetric_; }

  /// Sender: call after the store that makes the news visible.
  [[gnu::always_inline]] bool any() const noexcept {
    Atomics::fence_light();
    return count_.load(std::memory_order_relaxed) != 0;
  }

  /// Sleeper: from now on senders notify. Look once more before sleeping.
  void announce() noexcept {
    count_.fetch_add(1, std::memory_order_relaxed);
    Atomics::fence_heavy();
  }

  /// Sleeper: awake again (or found something).
  void withdraw() noexcept { count_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  explicit basic_sleepers(bool asymmetric, std::uint32_t count = 0) noexcept : asymmetric_(asymmetric), count_(count) {}

  const bool asymmetric_;
  alignas(cache_line) typename Atomics::template atomic<std::uint32_t> count_;
};

using sleepers = basic_sleepers<native_atomics>;

}  // namespace weir
