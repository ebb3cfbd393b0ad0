// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// The pool of the whole process, and the functions that use the pool of the calling thread.
#include "weir/run/run.hpp"

#include "graph/per_process.hpp"
#include "run/live_server.hpp"
#include "run/pool.hpp"

#include <pthread.h>

#include <memory>
#include <stdexcept>

namespace weir {
namespace {

constinit detail::one_per_process<detail::pool> shared_pool;

}  // namespace

detail::pool& detail::pool::shared() {
  see_forks();  // not under the process lock: a fork holds the lock of these functions, and waits for that one
  return shared_pool.get([] { return std::make_unique<pool>(available_cores()); });
}

// The thread that has forked is in no pool of the child.
void detail::pool::see_forks() {
  constexpr auto before = [] { detail::live_server::before_fork(); };
  constexpr auto in_parent = [] { detail::live_server::after_fork(false); };
  constexpr auto in_child = [] {
    detail::live_server::after_fork(true);
    this_thread_ = nullptr;
    this_pool_ = nullptr;
    join::forget_current();
  };
  static const int registered = pthread_atfork(before, in_parent, in_child);
  if (registered != 0) throw std::runtime_error("can't see to it that a child of this process has threads of its own");
}

detail::activation* detail::activation::of_this_thread() noexcept {
  if (const detail::join* const piece = detail::join::current()) return piece->node();
  return detail::pool::activation_of_this_thread();
}

std::stop_token stop_token_around() noexcept {
  detail::activation* const around = detail::activation::of_this_thread();
  return around == nullptr ? std::stop_token() : around->context().stop_source.get_token();
}

detail::activation* detail::pool::activation_of_this_thread() noexcept {
  return this_thread_ == nullptr ? nullptr : this_thread_->current.load(std::memory_order_relaxed);
}

detail::pool& detail::pool::here() { return this_pool_ != nullptr ? *this_pool_ : shared(); }

std::size_t concurrency() noexcept { return detail::pool::here().workers(); }

bool join_fails() noexcept {
  const detail::join* const around = detail::join::current();
  return around != nullptr && around->fails();
}

void fork_join(std::size_t pieces, piece_function f) { detail::pool::here().fork_join(pieces, f); }

}  // namespace weir
