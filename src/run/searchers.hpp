// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/sleepers.hpp"

#include <atomic>

namespace weir::detail {

/// Counts the workers that search. A searching worker looks in all places where news may be
/// (queues, open joins), so a thread that brings news need not wake a sleeper while a worker
/// searches.
///
/// **Invariant.** While a worker sleeps, all news is known to a thread that will look for it, or
/// that has woken a sleeper for it:
///
/// - A thread that brings news makes the news visible, calls `fenced`, and, if that is true and
/// there is `none`, wakes a sleeper.
/// - A worker that searches and finds nothing calls `end`, announces itself among the sleepers, and
/// looks once more before it sleeps.
/// - A worker that stops searching for any other reason (it has found work, or leaves for a join)
/// and was the last one by `end` calls `fenced`. If that is true, it looks once more and wakes a
/// sleeper for the news that it leaves.
///
/// **Argument.** Suppose that news was made visible, nobody was woken for it, and a worker sleeps.
/// Either `fenced` was false for the thread that brought it: then the sleeper had not announced
/// itself, and its last look came later (see `basic_sleepers`). Or a worker was counted as
/// searching. Take the worker whose `end` made the count zero after that. Its decrement comes after
/// the load that saw the count, which comes after a full fence that follows the news. Between the
/// decrement and its last look there is a full fence, too, its own or that of its announcement. So
/// the look sees the news. If it makes no look, `fenced` was false, and the sleeper's announcement
/// and last look come later still. `tests/explore/searchers_test.cpp` explores this, with mutants.
template <class Atomics>
class basic_searchers {
 public:
  /// @param asleep the sleepers; outlives this
  explicit basic_searchers(const basic_sleepers<Atomics>& asleep) noexcept : asleep_(asleep) {}

  void begin() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }

  /// @return whether no worker searches any more
  bool end() noexcept { return count_.fetch_sub(1, std::memory_order_relaxed) == 1; }

  /// Whether a worker sleeps. If so, executes a full fence.
  bool fenced() const noexcept {
    if (!asleep_.any()) return false;
    Atomics::fence_full();
    return true;
  }

  /// Only after `fenced`.
  int count() const noexcept { return count_.load(std::memory_order_relaxed); }
  bool none() const noexcept { return count() == 0; }

 private:
  const basic_sleepers<Atomics>& asleep_;
  typename Atomics::template atomic<int> count_{0};
};

using searchers = basic_searchers<native_atomics>;

}  // namespace weir::detail
