// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "passes/remote_port.hpp"

#include <algorithm>
#include <stdexcept>

namespace weir {
namespace {

constexpr std::uint64_t frame_items_most = 256;

// Stands for an item that is still to be decoded.
constexpr const void* bytes_of_an_item = &frame_items_most;

[[noreturn]] void fail_with_peer() { throw std::runtime_error("the group at the other end of the cut has failed"); }

}  // namespace

// ---- sender ----

void remote_sender::start(ports& at) { to_->register_sender(&at.owner()); }

progress remote_sender::step(ports& at, std::size_t) {
  if (to_->failed()) fail_with_peer();
  if (to_->abandoned()) return progress::ended;
  in_channel& in = *at.in().channels().front();
  channel& data = in.data();
  const item_type& type = at.in().type();
  const slot_layout& slots = data.layout();
  const bool closed = data.closed();  // before the look
  // What the consumer has completed gives its slots back.
  const std::uint64_t completed = to_->completed();
  while (data.taken() != completed) {
    const channel::slots held = data.claim_written();
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(held.count, completed - data.taken()));
    for (std::size_t i = 0; i != count; ++i) slots.destroy_item(held.first + i * slots.size);
    data.complete(count);
    at.in().touch(in);
  }
  // What lies behind the items under way goes on its way. (Behind the end of a segment only after those are completed.)
  for (;;) {
    const channel::slots held = data.claim_all_written();
    const std::uint64_t under_way = sent_ - data.taken();
    if (held.count <= under_way) break;
    link::frame frame{std::min<std::uint64_t>(held.count - under_way, frame_items_most), {}};
    for (std::uint64_t i = 0; i != frame.items; ++i) {
      const std::byte* const slot = held.first + (under_way + i) * slots.size;
      const std::byte* const item = slot + slots.header;
      for (std::size_t word = 0; word != at.in().words(); ++word) append(frame.bytes, tag::of(item, word));
      if (slots.holds_item(slot)) type.encode(item, frame.bytes);
    }
    sent_ += frame.items;
    at.count(frame.items);
    to_->send(std::move(frame));
  }
  data.note(sent_);
  const bool all_completed = data.written() == data.taken();
  return closed && all_completed ? progress::ended : progress::waiting_input;
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
  const item_type& type = out.type();
  const bool closed = from_->closed();  // before the look
  bool drained = false;
  for (std::uint64_t taken = 0; taken < budget;) {
    std::optional<link::frame> frame = from_->receive();
    if (!frame) {
      drained = true;
      break;
    }
    byte_source bytes(frame->bytes);
    for (std::uint64_t i = 0; i != frame->items; ++i) {
      for (tag::word& word : at.current_tag()) bytes.read(word);
      if (!at.current_tag().empty() && (at.current_tag().front() & tag::marker) != 0) {
        out.send_marker();
        continue;
      }
      const out_port::place to = out.acquire(bytes_of_an_item);  // one channel: there is nothing to choose
      type.decode(to.slot, bytes);
      out.commit(to);
    }
    if (bytes.left() != 0) throw codec_error("a frame holds more bytes than its items");
    taken += frame->items;
    at.count(frame->items);
  }
  if (const std::uint64_t completed = out.completed(); completed != reported_) {
    reported_ = completed;
    from_->complete(completed);
  }
  if (closed && drained) return progress::ended;
  if (!drained || out.watch_completion(reported_)) return progress::more;
  return progress::waiting_room;
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
