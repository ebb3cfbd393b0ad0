// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/ready_queue.hpp"

namespace weir::detail {

void ready_queue::push_back(activation& ready, unsigned now) noexcept {
  const std::lock_guard lock(mutex_);
  ready.queue_next = nullptr;
  ready.queue_previous = back_;
  (back_ == nullptr ? front_ : back_->queue_next) = &ready;
  back_ = &ready;
  ready.queued_at = now;
  count(1);
}

void ready_queue::push_front(activation& ready, unsigned now) noexcept {
  const std::lock_guard lock(mutex_);
  ready.queue_previous = nullptr;
  ready.queue_next = front_;
  (front_ == nullptr ? back_ : front_->queue_previous) = &ready;
  front_ = &ready;
  ready.queued_at = now;
  count(1);
}

activation* ready_queue::pop_back() noexcept {
  if (size() == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  return taken_out(back_);
}

activation* ready_queue::pop_front() noexcept {
  if (size() == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  return taken_out(front_);
}

activation* ready_queue::pop_overdue(unsigned now, unsigned age) noexcept {
  if (size() == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  activation* oldest = front_;
  for (activation* each = front_; each != nullptr; each = each->queue_next) {
    if (now - each->queued_at > now - oldest->queued_at) oldest = each;
  }
  return oldest == nullptr || now - oldest->queued_at < age ? nullptr : taken_out(oldest);
}

// Removes `one` and returns it. @param one an activation in the queue, or null
activation* ready_queue::taken_out(activation* one) noexcept {
  if (one == nullptr) return nullptr;
  (one->queue_previous == nullptr ? front_ : one->queue_previous->queue_next) = one->queue_next;
  (one->queue_next == nullptr ? back_ : one->queue_next->queue_previous) = one->queue_previous;
  count(std::size_t{0} - 1);
  return one;
}

void ready_queue::count(std::size_t change) noexcept {
  size_.store(size_.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
}

}  // namespace weir::detail
