// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/host.hpp"

#include <mutex>

namespace weir::io {

/// Wakes a node when an external event occurs, such as the completion of a system call, from the
/// thread that waits for events. Both sides hold it.
///
/// **Thread safety.** Any thread may call `ring`. The node calls `close` before its run ends;
/// afterwards no notification reaches it.
class node_waker {
 public:
  explicit node_waker(detail::host& owner) noexcept : owner_(&owner) {}

  /// Wakes the node. Call it after the news is visible.
  void ring() noexcept {
    const std::lock_guard lock(mutex_);
    if (owner_ == nullptr) return;
    detail::native_atomics::fence_full();
    owner_->notify(detail::cause::any);
  }

  void close() noexcept {
    const std::lock_guard lock(mutex_);
    owner_ = nullptr;
  }

 private:
  std::mutex mutex_;
  detail::host* owner_;
};

}  // namespace weir::io
