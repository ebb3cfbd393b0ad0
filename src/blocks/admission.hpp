// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <cstdint>

namespace weir {

/// How many items are inside a block that may hold so many: its way in waits until its way out has
/// seen enough of them done.
///
/// **Invariant.** Items are numbered from 0, and `completed` is at most the number of those that
/// were done first without a gap. So `next - completed` is at least the number of those inside, and
/// the way in takes another one only while that is below the limit. The acquire with which it
/// learns that an item was done also shows all that was done with it.
///
/// **No missed wake-up.** The way in stores `waiting`, executes a full fence, and looks again. The
/// way out stores `completed`, executes a full fence, and reads `waiting`. At least one of the two
/// sees the other's. It is woken when half of the room is free, which will be so once all are done.
/// If the way out is about to wait, any room is enough, so that those inside have something to do.
///
/// **Who may call what.** `room`: the runner of the way in. `done` and `reset`: the runner of the
/// way out.
template <class Atomics>
class basic_admission {
 public:
  /// @param limit at least 1
  explicit basic_admission(std::uint64_t limit) noexcept : limit_(limit) {}

  /// The way out, at its end: whoever begins the next run finds nothing done.
  void reset() noexcept {
    completed_.store(0, std::memory_order_relaxed);
    waiting_.store(false, std::memory_order_relaxed);
  }

  /// @param next the number of the next item @return how many may be taken; 0: wait, and be woken
  std::uint64_t room(std::uint64_t next) noexcept {
    if (const std::uint64_t some = room_now(next); some != 0) return some;
    next_.store(next, std::memory_order_relaxed);
    waiting_.store(true, std::memory_order_relaxed);
    Atomics::fence_full();
    return Atomics::keep("look again before it waits") ? room_now(next) : 0;
  }

  /// @param first_open all items with smaller numbers are done @param idle the way out is about to
  /// wait
  /// @return whether to wake the way in
  bool done(std::uint64_t first_open, bool idle) noexcept {
    completed_.store(first_open, std::memory_order_release);
    Atomics::fence_full();
    if (!waiting_.load(std::memory_order_relaxed)) return false;
    // If it does not wait now, `next` may be from an earlier time, and smaller than what has
    // been done since.
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
  shared<std::uint64_t> next_{0};  // as the way in knew when it found no room
  shared<bool> waiting_{false};
};

}  // namespace weir
