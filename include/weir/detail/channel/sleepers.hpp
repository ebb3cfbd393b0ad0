// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <cstdint>

namespace weir::detail {

/// An event count whose fence is paid by the sleeper. A thread without work uses it to go to sleep
/// without missing an item that is sent at that moment. Senders pay one load per send.
///
/// The sender stores the index of its item, calls `any()` (one relaxed load), and notifies the
/// consumer if `any()` returns true. The sleeper calls `announce()`, checks all its channels once
/// more, and sleeps only if it finds nothing.
///
/// **Correctness.** `announce` counts the sleeper and then makes every running thread execute a
/// full fence. If a sender stored its index before that fence, the sleeper's check sees the index.
/// If a sender stores its index after the fence, it also loads the count after the fence and finds
/// the sleeper. If the system has no such fence, `any` always returns true, and senders take a path
/// that has a full fence of its own.
template <class Atomics>
class basic_sleepers {
 public:
  basic_sleepers() noexcept : asymmetric_(Atomics::has_fence_heavy()), count_(asymmetric_ ? 0 : 1) {}

  /// Returns an instance without sleepers. Senders need no fence of their own, since no thread
  /// relies on being seen at once.
  static basic_sleepers none() noexcept { return basic_sleepers(true); }

  /// An instance that never has a sleeper: for senders whose consumer runs on the same thread.
  static const basic_sleepers& nobody() noexcept {
    static constinit const basic_sleepers nobody(true);
    return nobody;
  }

  /// An instance that always has one sleeper: for senders that must be called back for each item.
  static const basic_sleepers& somebody() noexcept {
    static constinit const basic_sleepers one(true, 1);
    return one;
  }

  /// Returns whether sleepers pay for the fence. If not, `any` always returns true and senders must
  /// execute a full fence themselves.
  bool asymmetric() const noexcept { return asymmetric_; }

  /// For the sender: must be called after the store that makes the news visible.
  [[gnu::always_inline]] bool any() const noexcept {
    Atomics::fence_light();
    return count_.load(std::memory_order_relaxed) != 0;
  }

  /// For the sleeper: from now on senders notify. The sleeper must check once more before it
  /// sleeps.
  void announce() noexcept {
    count_.fetch_add(1, std::memory_order_relaxed);
    Atomics::fence_heavy();
  }

  /// For the sleeper: it is awake again, or has found work.
  void withdraw() noexcept { count_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  constexpr explicit basic_sleepers(bool asymmetric, std::uint32_t count = 0) noexcept
      : asymmetric_(asymmetric), count_(count) {}

  const bool asymmetric_;
  alignas(cache_line) typename Atomics::template atomic<std::uint32_t> count_;
};

using sleepers = basic_sleepers<native_atomics>;

}  // namespace weir::detail
