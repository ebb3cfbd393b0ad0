// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/host.hpp"

#include <mutex>

namespace weir::io {

/// How what happens outside wakes a node: a system call that completed, on the thread that waits
/// for such. Held by both sides.
///
/// **Thread safety.** Any thread may call `ring`; the node calls `close` before its run ends, and
/// after that nothing reaches it.
class doorbell {
 public:
  explicit doorbell(host& owner) noexcept : owner_(&owner) {}

  /// Call after the news it is about.
  void ring() noexcept {
    const std::lock_guard lock(mutex_);
    if (owner_ == nullptr) return;
    native_atomics::fence_full();
    owner_->notify(cause::any);
  }

  void close() noexcept {
    const std::lock_guard lock(mutex_);
    owner_ = nullptr;
  }

 private:
  std::mutex mutex_;
  host* owner_;
};

}  // namespace weir::io
