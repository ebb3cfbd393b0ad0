// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "passes/remote_port.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace weir {
namespace {

// What one frame holds at most, and one item. With its header that is one segment of a loopback device: 64 KiB would be one, and a small rest.
constexpr std::size_t frame_bytes_most = std::size_t{60} * 1024;
constexpr std::uint64_t frame_items_most = std::uint64_t{64} * 1024;

// With so many bytes under way the other side has enough to do: less than a frame that is worth its costs waits for more items, or
// until what is under way is less.
constexpr std::uint64_t enough_under_way = std::uint64_t{64} * 1024;
constexpr std::uint64_t worth_a_frame = std::uint64_t{16} * 1024;

// Of the items under way, the part after whose completion their sender is told.
constexpr std::uint64_t completions_reported_at_once = 4;

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void fail_with_peer() { throw std::runtime_error("the group at the other end of the cut has failed"); }

}  // namespace

// ---- sender ----

void remote_sender::start(ports& at) { to_->register_sender(&at.owner()); }

progress remote_sender::step(ports& at, std::size_t) {
  if (to_->failed()) fail_with_peer();
  if (to_->abandoned()) return progress::ended;
  channel& data = at.in().channels().front()->data();
  const bool closed = data.closed();  // before the look
  give_back(at);
  bool gathers = false;
  while (has_room(data)) {
    const channel::slots held = data.claim_all_written();  // those that were waited for, too
    if (held.count == 0) break;
    gathers = !closed && waits_for_more(data);
    if (gathers) break;
    link::frame frame{0, to_->new_frame()};
    frame.items = encode(at, data, held, frame.bytes);
    bytes_sent_ += frame.bytes.size();
    under_way_.push_back({data.taken(), bytes_sent_});
    at.count(frame.items);
    to_->send(std::move(frame));
  }
  // What must wait for completions is no news any more.
  if (!gathers && data.claim_all_written().count != 0 && has_room(data)) return progress::more;
  data.note(data.taken() + data.pending());
  return closed && data.written() == completed_ ? progress::ended : progress::waiting_input;
}

// A batch counts as one of the frames that may be under way. Those that wait go together: a write of its own for each would cost
// more than its items.
std::uint64_t remote_sender::items_allowed(const channel& data) const {
  const std::uint64_t frames = to_->frames_under_way_most();
  const std::uint64_t batch = to_->frame_items();
  if (batch == any_number) return under_way_.size() < frames ? any_number : 0;
  const std::uint64_t most = frames > any_number / batch ? any_number : frames * batch;
  return most - std::min(most, data.taken() - completed_);
}

bool remote_sender::waits_for_more(const channel& data) const {
  if (bytes_sent_ - bytes_completed_ < enough_under_way) return false;
  const std::uint64_t items = data.taken();
  return data.pending() * (bytes_sent_ / items) < worth_a_frame;  // of those that the claim has seen
}

// What the consumer has completed gives its slots back.
void remote_sender::give_back(ports& at) {
  const std::uint64_t completed = to_->completed();
  if (completed == completed_) return;
  in_channel& in = *at.in().channels().front();
  completed_ = completed;
  in.data().completed_to(completed);
  at.in().touch(in);
  while (!under_way_.empty() && under_way_.front().items <= completed) {
    bytes_completed_ = under_way_.front().bytes;
    under_way_.pop_front();
  }
}

// Takes what is `held`, as far as a frame of it goes. An item that is encoded is destroyed; its slot is kept.
std::uint64_t remote_sender::encode(ports& at, channel& data, channel::slots held, byte_sink& to) const {
  const item_type& type = at.in().type();
  const slot_layout& slots = data.layout();
  const std::uint64_t most = std::min<std::uint64_t>({held.count, items_allowed(data), frame_items_most});
  if (type.encoded_as_it_lies && slots.size == type.size) {
    const auto count = std::clamp<std::uint64_t>(frame_bytes_most / type.size, 1, most);
    to.append(held.first, count * type.size);
    data.advance(count);
    return count;
  }
  std::uint64_t count = 0;
  while (count != most && to.size() < frame_bytes_most) {
    std::byte* const slot = held.first + count * slots.size;
    const std::byte* const item = slot + slots.header;
    for (std::size_t word = 0; word != at.in().words(); ++word) append(to, tag::of(item, word));
    if (slots.holds_item(slot)) type.encode(item, to);
    slots.destroy_item(slot);
    data.advance(1);
    ++count;
  }
  return count;
}

void remote_sender::finish(ports&) {
  to_->close();
  to_->register_sender(nullptr);
}

void remote_sender::abort(ports&) noexcept {
  to_->fail();
  to_->register_sender(nullptr);
}

// ---- receiver ----

void remote_receiver::start(ports& at) { from_->register_receiver(&at.owner()); }

progress remote_receiver::step(ports& at, std::size_t budget) {
  if (from_->failed()) fail_with_peer();
  out_port& out = at.out();
  if (out.abandoned()) return progress::ended;
  const bool closed = from_->closed();  // before the look
  bool drained = false;
  for (std::uint64_t taken = 0; taken < budget;) {
    const std::optional<link::received> frame = from_->receive();
    if (!frame) {
      drained = true;
      break;
    }
    byte_source bytes(frame->bytes);
    decode(at, frame->items, bytes);
    if (bytes.left() != 0) throw codec_error("a frame holds more bytes than its items");
    taken += frame->items;
    at.count(frame->items);
  }
  if (const std::uint64_t completed = out.completed(); completed != reported_) {
    reported_ = completed;
    from_->complete(completed);
  }
  if (closed && drained) return progress::ended;
  // A sender that has few items under way waits for each, one that has many gets by with fewer messages.
  const std::uint64_t more = std::max<std::uint64_t>(1, (out.sent() - reported_) / completions_reported_at_once);
  if (!drained || out.watch_completion(reported_, more)) return progress::more;
  return progress::waiting_room;
}

void remote_receiver::decode(ports& at, std::uint64_t items, byte_source& from) {
  out_port& out = at.out();
  const item_type& type = out.type();
  if (type.encoded_as_it_lies && out.stride() == type.size) {
    if (items > from.left() / type.size) throw codec_error("the bytes end inside an item");
    return out.send_copies(from.take(items * type.size).data(), items);
  }
  for (std::uint64_t i = 0; i != items; ++i) {
    for (tag::word& word : at.current_tag()) from.read(word);
    if (!at.current_tag().empty() && (at.current_tag().front() & tag::marker) != 0) {
      out.send_marker();
      continue;
    }
    const out_port::place to = out.acquire(&out_port::unseen);  // one channel: there is nothing to choose
    type.decode(to.slot, from);
    out.commit(to);
  }
}

void remote_receiver::finish(ports&) {
  from_->abandon();
  from_->register_receiver(nullptr);
}

void remote_receiver::abort(ports&) noexcept {
  from_->fail();
  from_->register_receiver(nullptr);
}

}  // namespace weir
