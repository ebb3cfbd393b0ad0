// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/channel/atomics.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace weir::detail {

void native_atomics::yield() noexcept { sched_yield(); }

void native_atomics::wait(const atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  static_assert(atomic<std::uint32_t>::is_always_lock_free && sizeof word == 4, "a futex is a 32-bit word");
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

void native_atomics::wake(const atomic<std::uint32_t>& word, std::size_t most) noexcept {
  const auto count = std::min<std::size_t>(most, std::numeric_limits<int>::max());
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, static_cast<int>(count), nullptr, nullptr, 0);
}

}  // namespace weir::detail
