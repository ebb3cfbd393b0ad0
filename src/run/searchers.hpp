// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/sleepers.hpp"

#include <atomic>

namespace weir {

/// Workers that search: they look wherever news may lie (queues, open joins), so that whoever has
/// news need not wake anybody while one does.
///
/// **Invariant.** While a worker sleeps, news that lies there is known to somebody who will look
/// for it, or who has woken a sleeper for it:
///
/// - Who brings news puts it down, calls `fenced`, and, if that is true and there is `none`, wakes
///   a sleeper.
/// - Who searches and finds nothing calls `end`, announces itself among the sleepers, and looks
///   once more before it sleeps.
/// - Who stops searching for any other reason, because it has found something or leaves for a join,
///   and was the last one by `end`, calls `fenced`, and, if that is true, looks once more and wakes
///   a sleeper for what it leaves.
///
/// **Argument.** Suppose that news was put down, nobody was woken for it, and a worker sleeps.
/// Either `fenced` was false where it was brought: then the sleeper had not announced itself, and
/// its last look came later (see `basic_sleepers`). Or somebody was counted as searching. Take the
/// one whose `end` made the count zero after that. Its decrement comes after the load that saw the
/// count, which comes after a full fence that follows the news; between the decrement and its last
/// look there is a full fence, too, its own or that of its announcement. So the look sees the news.
/// If it makes no look, `fenced` was false, and the sleeper's announcement and last look come later
/// still. `tests/explore/searchers_test.cpp` explores this, with mutants.
template <class Atomics>
class basic_searchers {
 public:
  /// @param asleep outlives this
  explicit basic_searchers(const basic_sleepers<Atomics>& asleep) noexcept : asleep_(asleep) {}

  void begin() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }

  /// @return whether nobody searches any more
  bool end() noexcept { return count_.fetch_sub(1, std::memory_order_relaxed) == 1; }

  /// Whether anybody sleeps; if so, after a full fence.
  bool fenced() const noexcept {
    if (!asleep_.any()) return false;
    Atomics::fence_full();
    return true;
  }

  /// After `fenced`.
  int count() const noexcept { return count_.load(std::memory_order_relaxed); }
  bool none() const noexcept { return count() == 0; }

 private:
  const basic_sleepers<Atomics>& asleep_;
  typename Atomics::template atomic<int> count_{0};
};

using searchers = basic_searchers<native_atomics>;

}  // namespace weir
