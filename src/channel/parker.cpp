// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/channel/parker.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace weir::detail {
namespace {

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, const timespec* longest) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, longest, nullptr, 0);
}

void futex_wake_one(std::atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

void parker::park() noexcept {
  for (;;) {
    std::uint32_t seen = token;
    // Acquire pairs with the release in unpark().
    if (state_.compare_exchange_strong(seen, empty, std::memory_order_acquire, std::memory_order_relaxed)) return;
    seen = empty;
    state_.compare_exchange_strong(seen, parked, std::memory_order_relaxed, std::memory_order_relaxed);
    if (seen != token) futex_wait(state_, parked, nullptr);
  }
}

bool parker::park_for(std::chrono::nanoseconds longest) noexcept {
  using clock = std::chrono::steady_clock;
  const clock::time_point deadline = clock::now() + longest;
  for (;;) {
    std::uint32_t seen = token;
    if (state_.compare_exchange_strong(seen, empty, std::memory_order_acquire, std::memory_order_relaxed)) return true;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - clock::now());
    if (left.count() <= 0) {
      seen = parked;
      // Returns to empty, unless a token has come meanwhile.
      if (state_.compare_exchange_strong(seen, empty, std::memory_order_relaxed, std::memory_order_relaxed) ||
          seen == empty) {
        return false;
      }
      continue;
    }
    seen = empty;
    state_.compare_exchange_strong(seen, parked, std::memory_order_relaxed, std::memory_order_relaxed);
    if (seen == token) continue;
    const timespec relative{.tv_sec = static_cast<time_t>(left.count() / 1'000'000'000),
                            .tv_nsec = static_cast<long>(left.count() % 1'000'000'000)};
    futex_wait(state_, parked, &relative);
  }
}

void parker::unpark() noexcept {
  // Release pairs with the acquire in park(). All exchanges of the word are in one total order, so
  // exactly one waker sees `parked`.
  if (state_.exchange(token, std::memory_order_release) == parked) futex_wake_one(state_);
}

}  // namespace weir::detail
