// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/channel/parker.hpp"
#include "weir/run/fork_join.hpp"

#include "run/running_node.hpp"

#include <atomic>
#include <cstddef>
#include <exception>

namespace weir {

/// One call of `fork_join`. It lives on the stack of the thread that began it; helpers are other
/// threads.
///
/// **Lifetime.** A helper finds the join in a list (`open_joins`), and is counted while the list is
/// locked. The beginner takes the join out of the list, then waits until the count is zero. A
/// counted helper may therefore use the join, and no helper comes later.
///
/// **Memory order.** A helper leaves with a release on the count. The beginner acquires the count
/// before it returns, so it sees what the pieces wrote. The helper that leaves last while the
/// beginner sleeps gives the beginner a token, for which the beginner waits. So the count, or else
/// the token, is the last thing that a helper touches.
class join {
 public:
  /// @param run the run in whose step this join is, unless it is within a piece of another join; or
  /// null
  join(std::size_t pieces, piece_function f, std::size_t helpers_most, run_context* run) noexcept
      : f_(f), pieces_(pieces), helpers_most_(helpers_most), around_(current_), run_(run) {}
  join(const join&) = delete;
  join& operator=(const join&) = delete;

  /// Runs pieces until none is left to begin.
  void take_part(std::size_t worker) noexcept;

  bool all_begun() const noexcept { return next_.load(std::memory_order_relaxed) >= pieces_; }

  /// Ends the part of a counted helper, which must not touch the join any more.
  void leave() noexcept;

  /// Called by the beginner, once the join is in no list: whether all helpers have left.
  bool alone() const noexcept { return inside_.load(std::memory_order_acquire) == 0; }
  /// Sleeps until all helpers have left.
  void wait_until_alone() noexcept;

  /// @throws the exception of a piece, or `stopped`
  void rethrow();

  /// Whether no further piece should begin: a piece of this join or of one around it has thrown, or
  /// the run is stopping.
  bool fails() const noexcept {
    return failed_.load(std::memory_order_relaxed) || (around_ != nullptr && around_->fails()) ||
           (run_ != nullptr && run_->requests.stopping());
  }

  /// The run that this join is part of, also through the joins around it; or null.
  run_context* run() const noexcept {
    const join* outermost = this;
    while (outermost->around_ != nullptr) outermost = outermost->around_;
    return outermost->run_;
  }

  /// The innermost join of which this thread runs a piece; or null.
  static const join* current() noexcept { return current_; }

 private:
  friend class open_joins;
  static constexpr std::size_t sleeping = 1;  // a bit in `inside_`; a helper counts as two

  void fail(std::exception_ptr problem) noexcept;

  static thread_local constinit const join* current_;

  const piece_function f_;
  const std::size_t pieces_;
  const std::size_t helpers_most_;
  const join* const around_;
  run_context* const run_;
  std::atomic<bool> failed_{false};
  std::exception_ptr problem_;  // written by the thread that set `failed_`
  parker beginner_;

  // Guarded by the lock of the list:
  join* following_ = nullptr;
  std::size_t helpers_ = 0;  // so far
  bool listed_ = false;

  alignas(cache_line) std::atomic<std::size_t> next_{0};
  alignas(cache_line) std::atomic<std::size_t> inside_{0};
};

/// The joins of a pool that helpers may enter, latest first. The latest is the innermost.
class open_joins {
 public:
  /// A hint. Exact for a thread that executed a full fence after announcing that it is about to
  /// sleep.
  bool any() const noexcept { return first_.load(std::memory_order_relaxed) != nullptr; }

  void add(join& what) noexcept;
  void remove(join& what) noexcept;

  /// Counts the caller as a helper.
  /// @return null if there is nothing to help with; else `worker` is the helper's number
  join* enter(std::size_t& worker) noexcept;

 private:
  class guard;
  void unlink(join& what) noexcept;

  std::atomic<bool> locked_{false};
  std::atomic<join*> first_{nullptr};
};

}  // namespace weir
