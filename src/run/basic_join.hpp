// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/channel/parker.hpp"

#include <cstddef>
#include <exception>
#include <utility>

namespace weir::detail {

template <class Atomics, class Join>
class basic_open_joins;

/// The part of a join that its threads share: which pieces have begun, who helps, and the first
/// exception. It lives on the stack of the thread that began it; helpers are other threads.
///
/// **Lifetime.** A helper finds the join in a list (`basic_open_joins`), and is counted while the
/// list is locked. The beginner takes the join out of the list, then waits until the count is zero.
/// A counted helper may therefore use the join, and no helper comes later.
///
/// **Memory order.** A helper leaves with a release on the count. The beginner acquires the count
/// before it returns, so it sees what the pieces wrote. The helper that leaves last while the
/// beginner sleeps has acquired the count from the helpers before it, and gives the beginner a
/// token, for which the beginner waits. So the count, or else the token, is the last thing that a
/// helper touches. The beginner's own change of the count hands nothing to the helpers: it needs no
/// release.
template <class Atomics>
class basic_join {
 public:
  basic_join(std::size_t pieces, std::size_t helpers_most) noexcept : pieces_(pieces), helpers_most_(helpers_most) {}
  basic_join(const basic_join&) = delete;
  basic_join& operator=(const basic_join&) = delete;

  /// Calls `run(piece)` for pieces until none is left to begin. After an exception of `run` no
  /// piece begins.
  template <class Run>
  void take_part(Run&& run) noexcept {
    while (!all_begun()) {
      const std::size_t piece = next_.fetch_add(1, std::memory_order_relaxed);
      if (piece >= pieces_) return;
      std::exception_ptr problem;
      try {
        run(piece);
        continue;
      } catch (...) {
        problem = std::current_exception();
      }
      return fail(std::move(problem));
    }
  }

  bool all_begun() const noexcept { return next_.load(std::memory_order_relaxed) >= pieces_; }

  /// Ends the part of a counted helper, which must not touch the join any more.
  void leave() noexcept {
    if (inside_.fetch_sub(2, std::memory_order_acq_rel) == (2 | sleeping)) beginner_.unpark();
  }

  /// Called by the beginner, once the join is in no list: whether all helpers have left.
  bool alone() const noexcept { return inside_.load(std::memory_order_acquire) == 0; }  // pairs with leave()
  /// Sleeps until all helpers have left.
  void wait_until_alone() noexcept {
    if (inside_.fetch_or(sleeping, std::memory_order_acquire) != 0) beginner_.park();  // pairs with leave()
  }

  /// @throws the exception of a piece
  void rethrow() {
    if (failed()) std::rethrow_exception(std::move(problem_.change()));
  }

  /// Whether a piece has thrown.
  bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }

 private:
  template <class, class>
  friend class basic_open_joins;
  template <class T>
  using shared = typename Atomics::template atomic<T>;
  template <class T>
  using plain = typename Atomics::template plain<T>;

  static constexpr std::size_t sleeping = 1;  // a bit in `inside_`; a helper counts as two

  // Keeps the first problem, which `rethrow` throws. The thread that sets `failed_` leaves with a
  // release, or is the beginner itself.
  void fail(std::exception_ptr problem) noexcept {
    next_.store(pieces_, std::memory_order_relaxed);
    if (!failed_.exchange(true, std::memory_order_relaxed)) problem_.set(std::move(problem));
  }

  const std::size_t pieces_;
  const std::size_t helpers_most_;
  shared<bool> failed_{false};
  plain<std::exception_ptr> problem_;  // written by the thread that set `failed_`
  typename Atomics::parker beginner_;

  // Guarded by the lock of the list:
  plain<basic_join*> following_{nullptr};
  plain<std::size_t> helpers_{0};  // so far
  plain<bool> listed_{false};

  alignas(cache_line) shared<std::size_t> next_{0};
  alignas(cache_line) shared<std::size_t> inside_{0};
};

/// The joins of a pool that helpers may enter, latest first. The latest is the innermost.
///
/// The lock is held for a few instructions, by few threads. Spinning costs less than a contended
/// mutex.
/// @tparam Join derived from `basic_join<Atomics>`, or the same
template <class Atomics, class Join>
class basic_open_joins {
 public:
  /// A hint. Exact for a thread that executed a full fence after announcing that it is about to
  /// sleep.
  bool any() const noexcept { return first_.load(std::memory_order_relaxed) != nullptr; }

  void add(Join& what) noexcept {
    const guard inside(locked_);
    what.following_.set(first_.load(std::memory_order_relaxed));
    what.listed_.set(true);
    first_.store(&what, std::memory_order_relaxed);
  }

  void remove(Join& what) noexcept {
    const guard inside(locked_);
    if (what.listed_.get()) unlink(what);
  }

  /// Counts the caller as a helper.
  /// @return null if there is nothing to help with; else `worker` is the helper's number
  Join* enter(std::size_t& worker) noexcept {
    const guard inside(locked_);
    while (link* const what = first_.load(std::memory_order_relaxed)) {
      if (what->all_begun()) {
        unlink(*what);
        continue;
      }
      worker = ++what->helpers_.change();
      what->inside_.fetch_add(2, std::memory_order_relaxed);
      if (worker == what->helpers_most_) unlink(*what);
      return static_cast<Join*>(what);
    }
    return nullptr;
  }

 private:
  using link = basic_join<Atomics>;
  template <class T>
  using shared = typename Atomics::template atomic<T>;

  class guard {
   public:
    explicit guard(shared<bool>& locked) noexcept : locked_(locked) {
      for (int tries = 0; locked_.exchange(true, std::memory_order_acquire); ++tries) {
        if (tries % 64 == 63) Atomics::yield();
        while (tries % 64 != 63 && locked_.load(std::memory_order_relaxed)) {
          Atomics::pause();
          ++tries;
        }
      }
    }
    guard(const guard&) = delete;
    guard& operator=(const guard&) = delete;
    ~guard() { locked_.store(false, std::memory_order_release); }

   private:
    shared<bool>& locked_;
  };

  void unlink(link& what) noexcept {
    what.listed_.set(false);
    link* const following = what.following_.get();
    link* at = first_.load(std::memory_order_relaxed);
    if (at == &what) {
      first_.store(following, std::memory_order_relaxed);
      return;
    }
    while (at->following_.get() != &what) at = at->following_.get();
    at->following_.set(following);
  }

  shared<bool> locked_{false};
  shared<link*> first_{nullptr};
};

}  // namespace weir::detail
