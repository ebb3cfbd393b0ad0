// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// The pool of the whole process, and the functions that use the pool of the calling thread.
#include "weir/run/run.hpp"

#include "run/live_server.hpp"
#include "run/pool.hpp"

#include <stdexcept>
#include <utility>

namespace weir {
namespace {

constinit std::mutex shared_mutex;  // guards the creation of `shared_pool`
constinit std::atomic<detail::pool*> shared_pool{nullptr};
constinit std::atomic<unsigned> forks{0};  // number of forks that led to this process

}  // namespace

detail::pool& detail::pool::shared() {
  detail::pool* made = shared_pool.load(std::memory_order_acquire);
  if (made != nullptr && made->has_its_threads()) return *made;
  const std::lock_guard lock(shared_mutex);
  made = shared_pool.load(std::memory_order_relaxed);
  if (made != nullptr && made->has_its_threads()) return *made;
  auto another = std::make_unique<detail::pool>(available_cores());
  another->before_fork_ = made;
  shared_pool.store(another.get(), std::memory_order_release);
  return *another.release();
}

// A forked child has only the thread that forked.
void detail::pool::forget_threads_when_forked() {
  constexpr auto before = [] {
    shared_mutex.lock();
    detail::live_server::before_fork();
  };
  constexpr auto in_parent = [] {
    detail::live_server::after_fork(false);
    shared_mutex.unlock();
  };
  constexpr auto in_child = [] {
    detail::live_server::after_fork(true);
    shared_mutex.unlock();
    forks.fetch_add(1, std::memory_order_relaxed);
    this_thread_ = nullptr;
    this_pool_ = nullptr;
  };
  static const int registered = pthread_atfork(before, in_parent, in_child);
  if (registered != 0) throw std::runtime_error("can't see to it that a child of this process has threads of its own");
}

unsigned detail::pool::forks_so_far() noexcept { return forks.load(std::memory_order_relaxed); }

bool detail::pool::has_its_threads() const noexcept { return made_after_ == forks_so_far(); }

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
