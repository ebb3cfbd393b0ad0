// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// The pool of the whole process, and the functions that use the pool of the calling thread.
#include "weir/run/run.hpp"

#include "graph/per_process.hpp"
#include "run/live_server.hpp"
#include "run/pool.hpp"

#include <memory>

namespace weir {
namespace {

constinit detail::one_per_process<detail::pool> shared_pool;

}  // namespace

detail::pool& detail::pool::shared() {
  if (pool* const one = shared_pool.find()) return *one;
  prepare_process();
  const std::size_t workers = available_cores();  // reads files, which notices and forks need not wait for
  return shared_pool.get([workers] { return std::make_unique<pool>(workers); });
}

void detail::pool::prepare_process() {
  see_forks();
  stay_loaded();
}

// The thread that has forked is in no pool of the child.
void detail::pool::see_forks() {
  static constexpr fork_hooks hooks{.before = &live_server::before_fork, .after = [](bool in_child) noexcept {
                                      live_server::after_fork(in_child);
                                      if (!in_child) return;
                                      this_thread_ = nullptr;
                                      this_pool_ = nullptr;
                                      join::forget_current();
                                    }};
  call_at_forks(hooks);
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

void fork_join(std::size_t pieces, piece_function f) {
  // Also if a piece throws.
  const struct at_the_end {
    ~at_the_end() {
      detail::activation* const around = detail::pool::activation_of_this_thread();
      if (around != nullptr && detail::join::current() == nullptr) around->hold_partial_item();
    }
  } check;
  detail::pool::here().fork_join(pieces, f);
}

}  // namespace weir
