// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/remote_input.hpp"

#include <string>
#include <utility>

namespace weir::cluster {

remote_input::remote_input(std::uint32_t run, const std::vector<std::uint32_t>& channels,
                           std::shared_ptr<connection> to)
    : run_(run), to_(std::move(to)), ways_(channels.size()) {
  for (std::size_t i = 0; i != channels.size(); ++i) ways_[i].number = channels[i];
}

void remote_input::register_receiver(detail::host* receiver) {
  const std::lock_guard lock(mutex_);
  receiver_ = receiver;
  if (receiver == nullptr) arrived_.clear();  // no receiver takes them
}

// Under the lock.
void remote_input::tell() noexcept {
  if (receiver_ == nullptr) return;
  detail::native_atomics::fence_full();
  receiver_->notify(detail::cause::any);
}

void remote_input::deliver_items(std::size_t channel, std::uint64_t count, buffer bytes) {
  const std::lock_guard lock(mutex_);
  way& of = ways_[channel];
  if (of.closed) throw protocol_error("items came in a channel that was closed");
  of.items_arrived += count;
  if (of.taken_no_more) return;
  const std::uint64_t under_way = of.bytes_arrived - of.bytes_completed;
  if (under_way >= detail::outgoing_link::bytes_under_way_most) {
    throw protocol_error("items came in a channel with " + std::to_string(under_way) + " bytes under way, where " +
                         std::to_string(detail::outgoing_link::bytes_under_way_most) + " and one frame may be");
  }
  of.bytes_arrived += bytes.size();
  of.under_way.push({of.items_arrived, of.bytes_arrived});
  arrived_.push_back({static_cast<std::uint32_t>(channel), count, std::move(bytes), false});
  tell();
}

void remote_input::deliver_close(std::size_t channel, std::uint64_t items) {
  const std::lock_guard lock(mutex_);
  way& of = ways_[channel];
  if (items != of.items_arrived) {
    throw protocol_error(std::to_string(items) + " items were sent, and " + std::to_string(of.items_arrived) + " came");
  }
  if (std::exchange(of.closed, true)) throw protocol_error("a channel was closed twice");
  if (of.taken_no_more) return;
  arrived_.push_back({static_cast<std::uint32_t>(channel), 0, buffer(), true});
  tell();
}

crossed::one_way remote_input::so_far() const {
  const std::lock_guard lock(mutex_);
  crossed::one_way sum;
  for (const way& each : ways_) {
    sum += {.items = each.items_arrived,
            .completed = each.completed_told,
            .closed = each.closed ? 1U : 0U,
            .abandoned = each.taken_no_more ? 1U : 0U};
  }
  return sum;
}

std::optional<detail::incoming_link::received> remote_input::receive() {
  const std::lock_guard lock(mutex_);
  if (arrived_.empty()) return std::nullopt;
  received first = std::move(arrived_.front());
  arrived_.pop_front();
  return first;
}

void remote_input::complete(const std::vector<completion>& news) {
  byte_sink payload;
  {
    const std::lock_guard lock(mutex_);
    for (const completion& each : news) {
      way& of = ways_[each.channel];
      of.completed_told = each.items;
      for (; !of.under_way.empty() && of.under_way.front().items <= each.items; of.under_way.pop()) {
        of.bytes_completed = of.under_way.front().bytes;
      }
      append(payload, std::uint64_t{of.number});
      append(payload, each.items);
    }
  }
  to_->send(frame_type::completed, run_, 0, news.size(), std::move(payload));
}

void remote_input::abandon(std::size_t channel) {
  std::uint32_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    way& of = ways_[channel];
    of.taken_no_more = true;
    of.under_way.clear();
    number = of.number;
  }
  to_->send(frame_type::abandon, run_, number, 0, {});
}

}  // namespace weir::cluster
