// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/serve/waiting_line.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace weir {

void waiting_line::wait(ticket announced) noexcept {
  syscall(SYS_futex, &epoch_, FUTEX_WAIT_PRIVATE, announced, nullptr, nullptr, 0);
  withdraw();
}

void waiting_line::wake(std::size_t most) noexcept {
  epoch_.fetch_add(1, std::memory_order_release);  // pairs with the acquire in announce()
  const auto count = std::min<std::size_t>(most, std::numeric_limits<int>::max());
  syscall(SYS_futex, &epoch_, FUTEX_WAKE_PRIVATE, static_cast<int>(count), nullptr, nullptr, 0);
}

}  // namespace weir
