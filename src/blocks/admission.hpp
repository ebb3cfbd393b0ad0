// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <cstdint>

namespace weir::detail {

/// Counts the items inside a block that has a limit on them. The entry node waits until the exit
/// node has seen enough items finished.
///
/// **Invariant.** Items are numbered from 0. `completed` is at most the number of items finished
/// without a gap from the first on. So `next - completed` is at least the number of items inside,
/// and the entry node takes another item only while this difference is below the limit. The acquire
/// by which the entry node learns that an item is finished also shows it all effects of that item.
///
/// **No missed wake-up.** The entry node stores `waiting`, executes a full fence, and looks again.
/// The exit node stores `completed`, executes a full fence, and reads `waiting`. At least one of
/// the two sees the store of the other. The entry node is woken when half of the room is free,
/// which happens at the latest when all items are finished. If the exit node is about to wait, any
/// room is enough to wake the entry node, so that the nodes inside have items to process.
///
/// **Callers.** The runner of the entry node calls `room`. The runner of the exit node calls `done`
/// and `reset`.
template <class Atomics>
class basic_admission {
 public:
  /// @param limit at least 1
  explicit basic_admission(std::uint64_t limit) noexcept : limit_(limit) {}

  /// Called by the exit node at its end: the next run starts with nothing finished.
  void reset() noexcept {
    completed_.store(0, std::memory_order_relaxed);
    waiting_.store(false, std::memory_order_relaxed);
  }

  /// @param next the number of the next item
  /// @return the number of items that may be taken; 0: the caller must wait, and will be woken
  std::uint64_t room(std::uint64_t next) noexcept {
    if (const std::uint64_t some = room_now(next); some != 0) return some;
    next_.store(next, std::memory_order_relaxed);
    waiting_.store(true, std::memory_order_relaxed);
    Atomics::fence_full();
    return Atomics::keep("look again before it waits") ? room_now(next) : 0;
  }

  /// @param first_open all items with smaller numbers are finished
  /// @param idle whether the exit node is about to wait
  /// @return whether the caller must wake the entry node
  bool done(std::uint64_t first_open, bool idle) noexcept {
    completed_.store(first_open, std::memory_order_release);
    Atomics::fence_full();
    if (!waiting_.load(std::memory_order_relaxed)) return false;
    // If the entry node does not wait now, `next_` may be an old value, smaller than the number of
    // items finished since.
    const std::uint64_t inside = next_.load(std::memory_order_relaxed) - first_open;
    if (inside > (idle ? limit_ - 1 : limit_ / 2)) return false;
    waiting_.store(false, std::memory_order_relaxed);
    return true;
  }

 private:
  template <class T>
  using shared = typename Atomics::template atomic<T>;

  std::uint64_t room_now(std::uint64_t next) const noexcept {
    const std::uint64_t inside = next - completed_.load(std::memory_order_acquire);
    return inside < limit_ ? limit_ - inside : 0;
  }

  const std::uint64_t limit_;
  shared<std::uint64_t> completed_{0};
  shared<std::uint64_t> next_{0};  // value of the entry node when it found no room
  shared<bool> waiting_{false};
};

}  // namespace weir::detail
