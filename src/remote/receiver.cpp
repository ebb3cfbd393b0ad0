// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "remote/receiver.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace weir::detail {
namespace {

// A sender is notified each time that this fraction of its items in transit has been completed.
constexpr std::uint64_t completions_reported_at_once = 4;

// Sends items of `from` on while their channel has room, at most `most` if they take time to
// decode.
// @return the number of items sent
std::uint64_t decode(ports& at, incoming_link::received& from, std::uint64_t most) {
  out_port& out = at.out();
  const item_type& type = out.type();
  std::uint64_t sent = 0;
  byte_source bytes(from.bytes);
  if (type.encoded_as_it_lies && out.stride() == type.size) {
    if (from.items > bytes.left() / type.size) throw codec_error("the bytes end inside an item");
    sent = out.try_send_copies(from.channel, from.bytes.bytes().data(), from.items);
    bytes.take(sent * type.size);
  } else {
    const item_codec& codec = *type.codec();  // `cut` has checked that there is one
    for (most = std::min(most, from.items); sent != most; ++sent) {
      const byte_source before = bytes;
      for (tag::word& word : at.current_tag()) bytes.read(word);
      const bool is_punctuation = !at.current_tag().empty() && (at.current_tag().front() & tag::punctuation) != 0;
      const out_port::place to = out.try_acquire(is_punctuation ? nullptr : &out_port::unseen, from.channel);
      if (to.slot == nullptr) {
        bytes = before;
        break;
      }
      if (!is_punctuation) codec.decode(to.slot, bytes);
      out.commit(to);
    }
  }
  from.items -= sent;
  if (from.items == 0 && bytes.left() != 0) throw codec_error("a frame holds more bytes than its items");
  const std::size_t left = bytes.left();
  from.bytes = std::move(from.bytes).slice(from.bytes.size() - left, left);
  return sent;
}

}  // namespace

void remote_receiver::start(ports& at) {
  open_ = at.out().width();
  ways_.resize(open_);
  from_->register_receiver(&at.owner());
}

progress remote_receiver::step(ports& at, std::size_t most) {
  if (from_->failed()) throw std::runtime_error("the group at the other end of the cut has failed");
  if (at.owner().lost_consumer.load(std::memory_order_relaxed)) look_for_abandoned(at);
  receive();
  bool more = deliver_all(at, most);
  report(at, more);
  if (open_ == 0) return progress::ended;
  bool waits = false;
  for (const std::uint32_t each : busy_) {
    channel& data = at.out().channel_to(each);
    const std::uint64_t wanted = completion_to_wait_for(ways_[each], data);
    data.want_completed(wanted);
    waits = waits || wanted != channel::never;
    more = more || (wanted == channel::never && !ways_[each].frames.empty());  // the channel has become empty since
  }
  if (more) return progress::more;
  if (!waits) return progress::waiting_input;
  native_atomics::fence_full();  // pairs with the one before offer_room(true)
  const bool due =
      std::ranges::any_of(busy_, [&](std::uint32_t each) { return at.out().channel_to(each).room_is_due(); });
  return due ? progress::more : progress::waiting_room;
}

void remote_receiver::receive() {
  while (std::optional<frame> next = from_->receive()) {
    way& of = ways_.at(next->channel);
    if (!of.open) continue;
    if (!std::exchange(of.busy, true)) busy_.push_back(next->channel);
    of.frames.push(*std::move(next));
  }
}

void remote_receiver::look_for_abandoned(ports& at) {
  for (std::size_t number = 0; number != ways_.size(); ++number) {
    if (!ways_[number].open || !at.out().channel_to(number).abandoned()) continue;
    from_->abandon(number);
    end(number);
  }
}

void remote_receiver::end(std::size_t number) {
  ways_[number].open = false;
  ways_[number].frames.clear();
  --open_;
}

// Delivers frames of all busy channels. The next call begins with the channel at which the budget
// was used up. @return whether it was used up
bool remote_receiver::deliver_all(ports& at, std::uint64_t most) {
  bool used_up = false;
  std::uint64_t budget = most;
  std::size_t next = 0;
  for (std::size_t i = 0; i != busy_.size(); ++i) {
    const bool has_some = budget != 0;
    if (deliver(at, busy_[i], most, budget) || used_up) continue;
    next = has_some ? i + 1 : i;
    used_up = true;
  }
  std::rotate(busy_.begin(), busy_.begin() + static_cast<std::ptrdiff_t>(next), busy_.end());
  return used_up;
}

// Delivers at most `most` items of a frame. @return whether all items for which the channel has
// room were sent
bool remote_receiver::deliver(ports& at, std::size_t number, std::uint64_t most, std::uint64_t& budget) {
  fifo<frame>& frames = ways_[number].frames;
  while (!frames.empty()) {
    frame& first = frames.front();
    if (first.closes) {
      end(number);
      at.out().close(number);  // the consumer may wait for the end of this channel
      return true;
    }
    if (budget == 0) return false;
    const std::uint64_t sent = decode(at, first, most);
    at.count(sent);
    budget -= std::min(budget, sent);
    if (first.items != 0) return sent != most;  // otherwise the channel is full
    frames.pop();
  }
  return true;
}

// Reports completed items to the senders, and removes idle channels from `busy_`. If there are
// `more` items to deliver at once, reports only completions that this node would otherwise wait
// for.
void remote_receiver::report(ports& at, bool more) {
  completed_.clear();
  std::erase_if(busy_, [&](std::uint32_t each) {
    way& of = ways_[each];
    channel& data = at.out().channel_to(each);
    const std::uint64_t completed = data.completed();
    if (completed != of.reported && (!more || completed >= completion_to_wait_for(of, data))) {
      of.reported = completed;
      completed_.push_back({each, completed});
    }
    of.busy = !of.frames.empty() || (completed != data.written() && !data.abandoned());
    if (!of.busy) data.want_no_room();
    return !of.busy;
  });
  if (!completed_.empty()) from_->complete(completed_);
}

// With few items in transit, a sender waits for each completion; with many, fewer messages suffice.
std::uint64_t remote_receiver::completion_to_wait_for(const way& of, const channel& data) {
  const std::uint64_t under_way = data.written() - of.reported;
  if (under_way == 0) return channel::never;
  return of.reported + std::max<std::uint64_t>(1, under_way / completions_reported_at_once);
}

void remote_receiver::finish(ports&) {
  for (std::size_t number = 0; number != ways_.size(); ++number) {
    if (ways_[number].open) from_->abandon(number);
  }
  from_->register_receiver(nullptr);
}

void remote_receiver::abort(ports&) noexcept {
  from_->fail();
  from_->register_receiver(nullptr);
}

}  // namespace weir::detail
