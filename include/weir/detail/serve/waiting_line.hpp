// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <cstddef>
#include <cstdint>

namespace weir::detail {

/// An event count on a futex: threads sleep in it until another thread has news for them. Any
/// thread may call it.
///
/// A waiter calls `announce`, looks for news once more, and then calls `wait`, or `withdraw` if it
/// found news. A waker makes its news visible, executes a full fence, and calls `wake` if `any()`.
///
/// **No lost wake-up.** `announce` counts the waiter, executes a full fence, and then loads the
/// epoch (acquire). Either the waker's check of the count sees the waiter, or the waiter's look
/// sees the news. In the first case the waker advances the epoch, after its fence. If the waiter
/// loaded the new epoch, that fence and the acquire show it the news. If it loaded the old epoch,
/// the futex does not let it sleep, or the wake-up reaches it.
template <class Atomics>
class basic_waiting_line {
 public:
  using ticket = std::uint32_t;

  ticket announce() noexcept {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    Atomics::fence_full();
    return epoch_.load(std::memory_order_acquire);  // pairs with the fence of the thread that calls wake()
  }
  void withdraw() noexcept { waiting_.fetch_sub(1, std::memory_order_relaxed); }

  /// Sleeps until a wake-up that followed `announce`; may return earlier. Withdraws the waiter.
  void wait(ticket announced) noexcept {
    Atomics::wait(epoch_, announced);
    withdraw();
  }

  bool any() const noexcept { return waiting_.load(std::memory_order_relaxed) != 0; }

  /// Wakes at most `most` sleeping threads. The system promises no order among them.
  void wake(std::size_t most) noexcept {
    epoch_.fetch_add(1, std::memory_order_relaxed);
    Atomics::wake(epoch_, most);
  }

 private:
  typename Atomics::template atomic<std::uint32_t> epoch_{0};
  typename Atomics::template atomic<std::uint32_t> waiting_{0};
};

using waiting_line = basic_waiting_line<native_atomics>;

}  // namespace weir::detail
