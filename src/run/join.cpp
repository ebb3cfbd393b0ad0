// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/join.hpp"

#include "weir/graph/error.hpp"

#include <thread>
#include <utility>

namespace weir {

thread_local constinit const join* join::current_ = nullptr;

void join::take_part(std::size_t worker) noexcept {
  const join* const around = std::exchange(current_, this);
  while (!all_begun()) {
    if (fails()) {
      fail(std::make_exception_ptr(stopped{}));
      break;
    }
    const std::size_t piece = next_.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces_) break;
    try {
      f_(piece, worker);
    } catch (...) {
      fail(std::current_exception());
      break;
    }
  }
  current_ = around;
}

// Keeps the first problem, which `rethrow` throws. The thread that sets `failed_` leaves with a
// release, or is the beginner itself.
void join::fail(std::exception_ptr problem) noexcept {
  next_.store(pieces_, std::memory_order_relaxed);
  if (!failed_.exchange(true, std::memory_order_relaxed)) problem_ = std::move(problem);
}

void join::leave() noexcept {
  if (inside_.fetch_sub(2, std::memory_order_acq_rel) == (2 | sleeping)) beginner_.unpark();
}

void join::wait_until_alone() noexcept {
  if (inside_.fetch_or(sleeping, std::memory_order_acq_rel) != 0) beginner_.park();
}

void join::rethrow() {
  if (failed_.load(std::memory_order_relaxed)) std::rethrow_exception(std::move(problem_));
}

// The lock is held for a few instructions, by few threads. Spinning costs less than a contended
// mutex.
class open_joins::guard {
 public:
  explicit guard(std::atomic<bool>& locked) noexcept : locked_(locked) {
    for (int tries = 0; locked_.exchange(true, std::memory_order_acquire); ++tries) {
      if (tries % 64 == 63) std::this_thread::yield();
      while (tries % 64 != 63 && locked_.load(std::memory_order_relaxed)) {
        pause_thread();
        ++tries;
      }
    }
  }
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;
  ~guard() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool>& locked_;
};

void open_joins::add(join& what) noexcept {
  const guard inside(locked_);
  what.following_ = first_.load(std::memory_order_relaxed);
  what.listed_ = true;
  first_.store(&what, std::memory_order_relaxed);
}

void open_joins::remove(join& what) noexcept {
  const guard inside(locked_);
  if (what.listed_) unlink(what);
}

join* open_joins::enter(std::size_t& worker) noexcept {
  const guard inside(locked_);
  while (join* const what = first_.load(std::memory_order_relaxed)) {
    if (what->all_begun()) {
      unlink(*what);
      continue;
    }
    worker = ++what->helpers_;
    what->inside_.fetch_add(2, std::memory_order_relaxed);
    if (what->helpers_ == what->helpers_most_) unlink(*what);
    return what;
  }
  return nullptr;
}

void open_joins::unlink(join& what) noexcept {
  what.listed_ = false;
  join* const following = what.following_;
  join* at = first_.load(std::memory_order_relaxed);
  if (at == &what) {
    first_.store(following, std::memory_order_relaxed);
    return;
  }
  while (at->following_ != &what) at = at->following_;
  at->following_ = following;
}

}  // namespace weir
