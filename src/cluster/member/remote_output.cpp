// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/remote_output.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace weir::cluster {

remote_output::remote_output(const settings& how, const std::vector<std::uint32_t>& channels,
                             std::shared_ptr<connection> to)
    : how_(how), to_(std::move(to)), ways_(channels.size()) {
  for (std::size_t i = 0; i != channels.size(); ++i) ways_[i].number = channels[i];
}

void remote_output::register_sender(detail::host* sender) {
  const std::lock_guard lock(mutex_);
  sender_ = sender;
}

void remote_output::tell(std::size_t channel) {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(ways_[channel].is_news, true)) news_.push_back(static_cast<std::uint32_t>(channel));
  if (sender_ == nullptr) return;
  detail::native_atomics::fence_full();
  sender_->notify(detail::cause::any);
}

void remote_output::take_news(std::vector<std::uint32_t>& channels) {
  channels.clear();
  const std::lock_guard lock(mutex_);
  channels.swap(news_);
  for (const std::uint32_t each : channels) ways_[each].is_news = false;
}

void remote_output::give_credit(std::size_t channel, std::uint64_t completed) {
  way& of = ways_[channel];
  const std::uint64_t sent = of.sent.load(std::memory_order_relaxed);
  if (completed < of.completed.load(std::memory_order_relaxed) || completed > sent) {
    throw protocol_error("of " + std::to_string(sent) + " items " + std::to_string(completed) +
                         " are said to be completed");
  }
  of.completed.store(completed, std::memory_order_release);
  tell(channel);
}

void remote_output::deliver_abandon(std::size_t channel) {
  ways_[channel].abandoned.store(true, std::memory_order_relaxed);
  tell(channel);
}

std::vector<remote_output::stall> remote_output::stalls(std::chrono::steady_clock::duration time) {
  std::vector<stall> found;
  const auto now = std::chrono::steady_clock::now();
  for (way& each : ways_) {
    const std::uint64_t completed = each.completed.load(std::memory_order_relaxed);
    const std::uint64_t under_way = each.sent.load(std::memory_order_relaxed) - completed;
    const bool goes_on = under_way == 0 || completed != each.completed_then || each.abandoned;
    if (goes_on || each.then == std::chrono::steady_clock::time_point{}) {
      each.completed_then = completed;
      each.then = now;
      each.stall_was_told = false;
    } else if (now - each.then >= time && !std::exchange(each.stall_was_told, true)) {
      found.push_back({each.number, under_way});
    }
  }
  return found;
}

crossed::one_way remote_output::so_far() const {
  crossed::one_way sum;
  for (const way& each : ways_) {
    sum += {.items = each.sent,
            .completed = each.completed,
            .closed = each.close_was_sent ? 1U : 0U,
            .abandoned = each.abandoned ? 1U : 0U};
  }
  return sum;
}

void remote_output::send(std::size_t channel, frame items) {
  if (items.bytes.size() > to_->payload_most()) {
    throw std::length_error("an item takes " + std::to_string(items.bytes.size()) +
                            " bytes; what crosses to another group may take " + std::to_string(to_->payload_most()));
  }
  way& of = ways_[channel];
  of.sent.fetch_add(items.items, std::memory_order_relaxed);
  to_->send(frame_type::items, how_.run, of.number, items.items, std::move(items.bytes));
}

void remote_output::close(std::size_t channel) {
  way& of = ways_[channel];
  of.close_was_sent.store(true, std::memory_order_relaxed);
  to_->send(frame_type::close, how_.run, of.number, of.sent, {});
}

}  // namespace weir::cluster
