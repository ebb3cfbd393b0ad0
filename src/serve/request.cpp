// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/serve/request.hpp"

#include "weir/graph/error.hpp"
#include "weir/run/fork_join.hpp"

#include <chrono>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace weir::detail {

// ---- one request ----

void throw_result_taken() {
  throw std::logic_error("weir: the result of this reply was taken before, or the reply was moved from");
}

request::continuation* request::resolved() noexcept {
  static continuation none{nullptr, true};
  return &none;
}

bool request::wait(const std::chrono::steady_clock::time_point* until) noexcept {
  const auto done = [this] { return done_.load(std::memory_order_acquire); };
  if (done()) return true;
  const std::stop_token around = stop_token_around();
  const std::stop_callback wake(around, [this] { waiting_.unpark(); });
  while (!done() && !around.stop_requested()) {
    if (until == nullptr) {
      waiting_.park();
      continue;
    }
    const auto left = *until - std::chrono::steady_clock::now();
    if (left <= left.zero()) break;
    waiting_.park_for(left);
  }
  return done();
}

bool request::then(continuation& next) noexcept {
  continuation* seen = nullptr;
  return after_.compare_exchange_strong(seen, &next, std::memory_order_acq_rel, std::memory_order_acquire);
}

request::continuation* request::resolve() noexcept {
  continuation* const next = after_.exchange(resolved(), std::memory_order_acq_rel);
  done_.store(true, std::memory_order_release);  // pairs with the acquire in wait()
  waiting_.unpark();
  return next;
}

// ---- all that are open ----

bool requests::add(std::shared_ptr<request> made) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  const request* const key = made.get();
  open_.emplace(key, std::move(made));
  return true;
}

void requests::forget(const request& made) noexcept { take(made); }

std::shared_ptr<request> requests::take(const request& made) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(&made);
  if (found == open_.end()) return nullptr;
  std::shared_ptr<request> taken = std::move(found->second);
  open_.erase(found);
  return taken;
}

void requests::failed(std::uint64_t number, std::exception_ptr problem) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(reinterpret_cast<const request*>(static_cast<std::uintptr_t>(number)));
  if (found != open_.end()) found->second->problem = std::move(problem);
}

std::vector<std::shared_ptr<request>> requests::end() noexcept {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  std::vector<std::shared_ptr<request>> left;
  for (auto& [key, each] : open_) left.push_back(std::move(each));
  open_.clear();
  return left;
}

void requests::set_reason(std::function<std::exception_ptr()> reason) {
  const std::lock_guard lock(mutex_);
  reason_ = std::move(reason);
}

void requests::fix_reason() noexcept {
  const std::lock_guard lock(mutex_);
  reason_ = [last = reason_ ? reason_() : nullptr] { return last; };
}

bool requests::wait(request& what) const {
  if (is_here()) return what.wait(nullptr);
  if (!what.is_resolved()) made_.must_be_here("reply");
  return true;
}

void requests::throw_why() const {
  made_.must_be_here("reply");
  std::exception_ptr problem;
  {
    const std::lock_guard lock(mutex_);
    if (reason_) problem = reason_();
  }
  if (problem) std::rethrow_exception(problem);
  throw stopped{};
}

// ---- what follows ----

void continuations::call(request::continuation& next) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
      waiting_.push_back(&next);
      if (node_ == nullptr) return;
      native_atomics::fence_full();
      node_->notify(cause::input);
      return;
    }
  }
  next.call(next);
}

void continuations::attach(host& node) noexcept {
  const std::lock_guard lock(mutex_);
  node_ = &node;
}

request::continuation* continuations::next() noexcept {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return nullptr;
  request::continuation* const first = waiting_.front();
  waiting_.pop_front();
  return first;
}

bool continuations::closed() const noexcept {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void continuations::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (node_ == nullptr) return;
  native_atomics::fence_full();
  node_->notify(cause::input);
}

void continuations::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    node_ = nullptr;
  }
  while (request::continuation* const left = next()) left->call(*left);
}

}  // namespace weir::detail
