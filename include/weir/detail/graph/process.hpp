// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <atomic>
#include <memory>

namespace weir::detail {

// A forked child has a copy of its parent's memory, but only the thread that forked. Threads that
// the copies speak of are the parent's, and so are their connections: the child must neither wait
// for those threads nor use or end those connections.

/// Tells whether the process in which it was made is the calling one.
///
/// Any thread. A child counts the fork while it has one thread only, so relaxed loads suffice.
class WEIR_API process_mark {
 public:
  bool is_here() const noexcept { return made_after_ == forks_.load(std::memory_order_relaxed); }

  /// @param what what bears the mark, for the message
  /// @throws std::logic_error in a forked child
  void must_be_here(const char* what) const {
    if (!is_here()) [[unlikely]]
      refuse(what);
  }

 private:
  [[noreturn]] static void refuse(const char* what);
  static bool count_forks() noexcept;

  static constinit std::atomic<unsigned> forks_;  // that led to this process
  static const bool counts_;

  unsigned made_after_ = forks_.load(std::memory_order_relaxed);
};

/// Gives up an object of the parent. It is never destroyed; a leak checker still finds it.
WEIR_API void leave_to_parent(const void* what) noexcept;

/// Deletes an object, unless it is one of the parent's.
struct delete_here {
  process_mark made;

  template <class T>
  void operator()(T* what) const noexcept {
    if (made.is_here()) {
      delete what;
    } else {
      leave_to_parent(what);
    }
  }
};

/// Owns an object that has threads or connections, or that they may use at any time. In a forked
/// child it leaves the object as it is.
template <class T>
using process_ptr = std::unique_ptr<T, delete_here>;

template <class T>
bool is_here(const process_ptr<T>& owned) noexcept {
  return owned.get_deleter().made.is_here();
}

/// @throws std::logic_error in a forked child
template <class T>
T& at_home(const process_ptr<T>& owned, const char* what) {
  owned.get_deleter().made.must_be_here(what);
  return *owned;
}

}  // namespace weir::detail
