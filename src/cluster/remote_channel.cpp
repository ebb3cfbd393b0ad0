// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/remote_channel.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace weir::cluster {

void remote_channel::attach(host* near) {
  const std::lock_guard lock(mutex_);
  near_ = near;
}

// Under the lock.
void remote_channel::tell() noexcept {
  if (near_ == nullptr) return;
  native_atomics::fence_full();
  near_->notify(cause::any);
}

void remote_channel::deliver_items(std::uint64_t count, buffer bytes) {
  const std::lock_guard lock(mutex_);
  if (closed_ || !where_.comes_in) throw protocol_error("items came in a channel that was closed, or goes out");
  items_arrived_ += count;
  if (taken_no_more_) return;
  if (bytes_arrived_ - bytes_completed_ >= bytes_under_way_most) {
    throw protocol_error("items came in a channel with " + std::to_string(bytes_arrived_ - bytes_completed_) +
                         " bytes under way, where " + std::to_string(bytes_under_way_most) + " and one frame may be");
  }
  bytes_arrived_ += bytes.size();
  under_way_.push_back({items_arrived_, bytes_arrived_});
  arrived_.push_back({count, std::move(bytes)});
  tell();
}

void remote_channel::deliver_close(std::uint64_t items) {
  const std::lock_guard lock(mutex_);
  if (!where_.comes_in || items != items_arrived_) {
    throw protocol_error(std::to_string(items) + " items were sent, and " + std::to_string(items_arrived_) + " came");
  }
  closed_ = true;
  tell();
}

void remote_channel::deliver_abandon() {
  abandoned_.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  tell();
}

void remote_channel::give_credit(std::uint64_t completed) {
  if (completed < completed_.load(std::memory_order_relaxed) || completed > sent_.load(std::memory_order_relaxed)) {
    throw protocol_error("of " + std::to_string(sent_.load(std::memory_order_relaxed)) + " items " +
                         std::to_string(completed) + " are said to be completed");
  }
  completed_.store(completed, std::memory_order_release);
  const std::lock_guard lock(mutex_);
  tell();
}

std::uint64_t remote_channel::stalled_for(std::chrono::steady_clock::duration time) noexcept {
  const std::uint64_t completed = completed_.load(std::memory_order_relaxed);
  const std::uint64_t under_way = sent_.load(std::memory_order_relaxed) - completed;
  const auto now = std::chrono::steady_clock::now();
  if (under_way == 0 || completed != completed_then_ || abandoned()) {
    completed_then_ = completed;
    then_ = now;
    stall_was_told_ = false;
    return 0;
  }
  return now - then_ < time || std::exchange(stall_was_told_, true) ? 0 : under_way;
}

crossed::one_way remote_channel::so_far() const {
  const std::lock_guard lock(mutex_);
  if (where_.comes_in) {
    return {.items = items_arrived_,
            .completed = completed_told_,
            .closed = closed_ ? 1U : 0U,
            .abandoned = taken_no_more_ ? 1U : 0U};
  }
  return {
      .items = sent_, .completed = completed_, .closed = close_was_sent_ ? 1U : 0U, .abandoned = abandoned_ ? 1U : 0U};
}

void remote_channel::send(frame items) {
  if (items.bytes.size() > to_->payload_most()) {
    throw std::length_error("an item takes " + std::to_string(items.bytes.size()) +
                            " bytes; what crosses to another group may take " + std::to_string(to_->payload_most()));
  }
  sent_.fetch_add(items.items, std::memory_order_relaxed);
  to_->send(frame_type::items, where_.run, where_.channel, items.items, std::move(items.bytes));
}

void remote_channel::close() {
  close_was_sent_.store(true, std::memory_order_relaxed);
  to_->send(frame_type::close, where_.run, where_.channel, sent_, {});
}

std::optional<link::received> remote_channel::receive() {
  const std::lock_guard lock(mutex_);
  if (arrived_.empty()) return std::nullopt;
  received first = std::move(arrived_.front());
  arrived_.pop_front();
  return first;
}

bool remote_channel::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void remote_channel::complete(std::uint64_t total) {
  {
    const std::lock_guard lock(mutex_);
    completed_told_ = total;
    for (; !under_way_.empty() && under_way_.front().items <= total; under_way_.pop_front()) {
      bytes_completed_ = under_way_.front().bytes;
    }
  }
  byte_sink payload;
  append(payload, std::uint64_t{where_.channel});
  append(payload, total);
  to_->send(frame_type::completed, where_.run, 0, 1, std::move(payload));
}

void remote_channel::abandon() {
  {
    const std::lock_guard lock(mutex_);
    taken_no_more_ = true;
    arrived_.clear();
    under_way_.clear();
  }
  to_->send(frame_type::abandon, where_.run, where_.channel, 0, {});
}

}  // namespace weir::cluster
