// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "remote/sender.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace weir::detail {
namespace {

// A frame holds at most this number of bytes, not counting the end of its last item. With its
// header it fits one segment of a loopback device; 64 KiB would take a second, small segment.
constexpr std::size_t frame_bytes_most = std::size_t{60} * 1024;
constexpr std::uint64_t frame_items_most = std::uint64_t{64} * 1024;

// With this number of bytes in transit, the other side has enough to do. A frame that is too small
// to be worth its cost then waits for more items, or until fewer bytes are in transit.
constexpr std::uint64_t enough_under_way = std::uint64_t{64} * 1024;
constexpr std::uint64_t worth_a_frame = std::uint64_t{16} * 1024;

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void remote_sender::start(ports& at) {
  ways_.resize(at.in().width());
  to_->register_sender(&at.owner());
}

progress remote_sender::step(ports& at, std::size_t budget) {
  if (to_->failed()) throw std::runtime_error("the group at the other end of the cut has failed");
  give_back(at);
  in_port& in = at.in();
  bool more = false;
  budget_ = most_of_frame_ = budget;
  const bool all = in.each_arrived([&](in_channel& from) {
    if (to_->abandoned(from.index())) {
      from.abandon();
      end(ways_[from.index()], from.index());
      return in_port::look::ended;
    }
    const in_port::look found = send_from(at, from);
    more = more || found == in_port::look::rest;
    // Ends the look before the next channel, with which the next step begins.
    return budget_ == 0 && found != in_port::look::ended ? in_port::look::broken_off : found;
  });
  if (in.ended()) return progress::ended;
  return more || !all ? progress::more : progress::waiting_input;
}

// Frees the slots of items that their consumers have completed.
void remote_sender::give_back(ports& at) {
  to_->take_news(news_);
  for (const std::uint32_t number : news_) {
    at.in().look_at(number);
    way& of = ways_[number];
    const std::uint64_t completed = to_->completed(number);
    if (completed == of.completed) continue;
    in_channel& in = *at.in().channels()[number];
    of.completed = completed;
    in.data().completed_to(completed);
    at.in().touch(in);
    while (!of.frames.empty() && of.frames.front().items <= completed) {
      of.bytes_completed = of.frames.front().bytes;
      of.frames.pop();
    }
  }
}

in_port::look remote_sender::send_from(ports& at, in_channel& from) {
  channel& data = from.data();
  way& of = ways_[from.index()];
  const bool closed = data.closed();  // before the look
  if (!closed && data.written() == data.taken()) return in_port::look::empty;
  bool gathers = false;
  for (;;) {
    const std::size_t held = data.claim_all_written();  // even without room, since all of it is noted below
    if (held == 0 || budget_ == 0 || !has_room(of, data)) break;
    const std::uint64_t under_way = of.bytes_sent - of.bytes_completed;
    const bool is_worth_it = under_way < enough_under_way ||
                             data.pending() * (of.bytes_sent / data.taken()) >= worth_a_frame ||
                             data.pending() >= data.waiting_most() / 2;
    gathers = !closed && !is_worth_it;
    if (gathers) break;
    outgoing_link::frame frame{0, to_->new_frame()};
    frame.items = encode(at, data, held, items_allowed(of, data), frame.bytes);
    budget_ -= std::min(budget_, frame.items);
    of.bytes_sent += frame.bytes.size();
    of.frames.push({data.taken(), of.bytes_sent});
    if (data.waiting_most() != channel::never) {
      data.emptied_to(data.taken());
      at.in().touch(from);  // the producer may wait for this
    }
    at.count(frame.items);
    to_->send(from.index(), std::move(frame));
  }
  const bool more = !gathers && data.claim_all_written() != 0 && has_room(of, data);
  // Items that must wait for completions are no longer news.
  data.note(data.taken() + data.pending());
  if (closed && data.written() == of.completed) {
    end(of, from.index());
    return in_port::look::ended;
  }
  return more ? in_port::look::rest : in_port::look::empty;
}

void remote_sender::end(way& of, std::size_t number) {
  if (!std::exchange(of.open, false)) return;
  of.frames.clear();
  to_->close(number);
}

bool remote_sender::has_room(const way& of, const channel& data) const {
  return of.bytes_sent - of.bytes_completed < outgoing_link::bytes_under_way_most && items_allowed(of, data) != 0;
}

// A batch counts as one of the frames that may be in transit. Batches that wait are sent together,
// because a separate write for each would cost more than its items.
std::uint64_t remote_sender::items_allowed(const way& of, const channel& data) const {
  const std::uint64_t frames = to_->frames_under_way_most();
  const std::uint64_t batch = to_->frame_items();
  if (batch == any_number) return of.frames.size() < frames ? any_number : 0;
  const std::uint64_t most = frames > any_number / batch ? any_number : frames * batch;
  return most - std::min(most, data.taken() - of.completed);
}

// Encodes as many of the `held` items as go into a frame, and at most `most_of_frame_` if items
// take time to encode. An encoded item is destroyed; its slot is kept.
std::uint64_t remote_sender::encode(ports& at, channel& data, std::size_t held, std::uint64_t allowed,
                                    byte_sink& to) const {
  const item_type& type = at.in().type();
  const std::uint64_t most = std::min<std::uint64_t>({held, allowed, frame_items_most});
  channel::reader items = data.read(most, detail::told::later);
  if (type.encoded_as_it_lies && data.layout().size == type.size) {
    const auto count = std::clamp<std::uint64_t>(frame_bytes_most / type.size, 1, most);
    to.append(items.item(), count * type.size);
    items.done(count);
    return count;
  }
  const item_codec& codec = *type.codec();  // `cut` has checked that there is one
  for (; items.more() && items.count() != most_of_frame_ && to.size() < frame_bytes_most; items.done()) {
    for (std::size_t word = 0; word != at.in().tag_words(); ++word) append(to, tag::of(items.item(), word));
    if (data.layout().holds_item(items.item())) codec.encode(items.item(), to);
    data.layout().destroy_item(items.item());
  }
  return items.count();
}

void remote_sender::finish(ports&) {
  for (std::size_t number = 0; number != ways_.size(); ++number) end(ways_[number], number);
  to_->register_sender(nullptr);
}

void remote_sender::abort(ports&) noexcept {
  to_->fail();
  to_->register_sender(nullptr);
}

}  // namespace weir::detail
