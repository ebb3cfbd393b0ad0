// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/pool.hpp"

namespace weir {

// Nobody runs it while it is here, so it is counted as the same when it leaves.
void ready_queue::count(const activation& one, std::size_t change) noexcept {
  size_.store(size_.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
  if (is_light(one)) return;
  heavy_.store(heavy_.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
}

void ready_queue::push_back(activation& ready) noexcept {
  const std::lock_guard lock(mutex_);
  ready.queue_next = nullptr;
  ready.queue_previous = back_;
  (back_ == nullptr ? front_ : back_->queue_next) = &ready;
  back_ = &ready;
  count(ready, 1);
}

void ready_queue::push_front(activation& ready) noexcept {
  const std::lock_guard lock(mutex_);
  ready.queue_previous = nullptr;
  ready.queue_next = front_;
  (front_ == nullptr ? back_ : front_->queue_previous) = &ready;
  front_ = &ready;
  count(ready, 1);
}

activation* ready_queue::pop_back() noexcept {
  if (size() == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  activation* taken = back_;
  if (taken == nullptr) return nullptr;
  back_ = taken->queue_previous;
  (back_ == nullptr ? front_ : back_->queue_next) = nullptr;
  count(*taken, std::size_t{0} - 1);
  return taken;
}

activation* ready_queue::pop_front() noexcept {
  if (size() == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  activation* taken = front_;
  if (taken == nullptr) return nullptr;
  front_ = taken->queue_next;
  (front_ == nullptr ? back_ : front_->queue_previous) = nullptr;
  count(*taken, std::size_t{0} - 1);
  return taken;
}

}  // namespace weir
