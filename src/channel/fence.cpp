// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/channel/atomics.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weir::detail {
namespace {

bool register_membarrier() noexcept {
  const long offered = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  if (offered < 0 || (offered & MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) return false;
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

}  // namespace

bool native_atomics::has_fence_heavy() noexcept {
  static const bool registered = register_membarrier();
  return registered;
}

namespace {

// Registers before other threads exist: the kernel registers a process with one thread at once, but
// a process with several threads has to wait for all cores, about 10 ms.
[[maybe_unused]] const bool registered_before_threads = native_atomics::has_fence_heavy();

}  // namespace

void native_atomics::fence_heavy() noexcept {
  fence_full();
  if (has_fence_heavy()) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  fence_full();
}

}  // namespace weir::detail
