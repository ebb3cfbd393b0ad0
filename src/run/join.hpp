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

/// One call of `fork_join`, on the stack of the thread that began it; helpers are other threads.
///
/// **Who touches it when.** A helper finds it in a list (`open_joins`), and is counted while the
/// list is locked. The beginner takes it out of the list, then waits until nobody is counted. So
/// whoever is counted may use it, and nobody comes later.
///
/// **Memory order.** A helper leaves with a release on the count; the beginner acquires it before
/// it returns, so it sees what the pieces wrote. Who leaves last while the beginner sleeps gives it
/// a token, which it waits for; so the count is the last that a helper touches, or else the token.
class join {
 public:
  /// @param run in a step of which this is, if it is not within a piece of another join; or null
  join(std::size_t pieces, piece_function f, std::size_t helpers_most, run_context* run) noexcept
      : f_(f), pieces_(pieces), helpers_most_(helpers_most), around_(current_), run_(run) {}
  join(const join&) = delete;
  join& operator=(const join&) = delete;

  /// Runs pieces until none is left to begin.
  void take_part(std::size_t worker) noexcept;

  bool all_begun() const noexcept { return next_.load(std::memory_order_relaxed) >= pieces_; }

  /// A helper that was counted has done its part. Not to be touched by it any more.
  void leave() noexcept;

  /// The beginner, once the join is in no list: whether all helpers have left.
  bool alone() const noexcept { return inside_.load(std::memory_order_acquire) == 0; }
  /// Sleeps until they have.
  void wait_until_alone() noexcept;

  /// @throws what a piece threw, or `stopped`
  void rethrow();

  /// Whether no piece is worth beginning any more: one has thrown, or a piece of a join around it,
  /// or the run is stopping.
  bool fails() const noexcept {
    return failed_.load(std::memory_order_relaxed) || (around_ != nullptr && around_->fails()) ||
           (run_ != nullptr && run_->stopping.load(std::memory_order_relaxed));
  }

  /// The run of which it is a part, also through joins around it; or null.
  run_context* run() const noexcept {
    const join* outermost = this;
    while (outermost->around_ != nullptr) outermost = outermost->around_;
    return outermost->run_;
  }

  /// That whose piece this thread runs, the innermost; or null.
  static const join* current() noexcept { return current_; }

 private:
  friend class open_joins;
  static constexpr std::size_t sleeping = 1;  // in inside_; a helper counts two

  void fail(std::exception_ptr problem) noexcept;

  static thread_local constinit const join* current_;

  const piece_function f_;
  const std::size_t pieces_;
  const std::size_t helpers_most_;
  const join* const around_;
  run_context* const run_;
  std::atomic<bool> failed_{false};
  std::exception_ptr problem_;  // written by who set failed_
  parker beginner_;

  // Under the lock of the list:
  join* following_ = nullptr;
  std::size_t helpers_ = 0;  // so far
  bool listed_ = false;

  alignas(cache_line) std::atomic<std::size_t> next_{0};
  alignas(cache_line) std::atomic<std::size_t> inside_{0};
};

/// The joins of a pool that helpers may enter; the latest first, which is the innermost.
class open_joins {
 public:
  /// A hint; exact for a thread that executed a full fence after announcing that it is about to
  /// sleep.
  bool any() const noexcept { return first_.load(std::memory_order_relaxed) != nullptr; }

  void add(join& what) noexcept;
  void remove(join& what) noexcept;

  /// Counts the caller as a helper.
  /// @return null if there is nothing to help with; else `worker` is its number
  join* enter(std::size_t& worker) noexcept;

 private:
  class guard;
  void unlink(join& what) noexcept;

  std::atomic<bool> locked_{false};
  std::atomic<join*> first_{nullptr};
};

}  // namespace weir
