// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "blocks/order.hpp"

#include <algorithm>
#include <limits>

namespace weir {
namespace {

constexpr std::uint64_t outside = tag::number(tag::outside);

// Claimed slots, completed one by one; also when an exception ends the scope, without the one in hand.
class claimed_slots {
 public:
  claimed_slots(std::byte* first, channel& from) noexcept : next_(first), from_(from), index_(from.taken()) {}
  claimed_slots(const claimed_slots&) = delete;
  claimed_slots& operator=(const claimed_slots&) = delete;
  ~claimed_slots() { from_.advance(count_); }

  std::byte* item() const noexcept { return next_; }
  void done() noexcept {
    next_ += from_.layout().size;
    ++count_;
    from_.completed_to(++index_);
  }
  std::size_t count() const noexcept { return count_; }

 private:
  std::byte* next_;
  channel& from_;
  channel::index index_;
  std::size_t count_ = 0;
};

// Moves the item on, with the current tag.
void send(out_port& out, std::byte* item) {
  out.send_tagged(item, [&](void* to) { out.type().relocate(to, item); });
}

}  // namespace

// ---- in ----

void numbering::start(ports&) { next_ = 0; }

progress numbering::step(ports& at, std::size_t budget) {
  const std::size_t given = budget;
  const progress how = at.in().consume(
      budget, at.run_length(),
      [&](std::byte* first, std::size_t count, channel& from) { return take(first, count, from, at); },
      [&] { return at.interrupted(); });
  at.count(given - budget);
  return how;
}

std::size_t numbering::take(std::byte* first, std::size_t count, channel& from, ports& at) {
  claimed_slots slots(first, from);
  const std::size_t own = at.in().words();
  tag::word& word = at.current_tag()[own];
  for (; count != 0 && !at.blocked(); --count, slots.done()) {
    std::byte* const item = slots.item();
    at.tag_as(item);
    const bool numbered = own == 0 || tag::number(tag::of(item, 0)) != outside;
    word = numbered ? tag::numbered(next_++) : tag::outside;
    if (own != 0 && tag::is_marker(item)) {
      at.out().send_marker();
    } else {
      send(at.out(), item);
    }
  }
  return slots.count();
}

// ---- out ----

void reordering::start(ports&) {
  due_ = 0;
  current_ = nullptr;
}

progress reordering::step(ports& at, std::size_t budget) {
  for (std::size_t left = budget; left != 0;) {
    in_channel* const next = find(at);
    if (next == nullptr) {
      if (at.in().ended()) return progress::ended;
      if (look_again(at)) continue;
      return progress::waiting_input;
    }
    const std::size_t taken = forward(*next, std::min({left, at.run_length(), in_port::run_in(next->data())}), at);
    at.in().touch(*next);
    next->offer_room(false);
    at.count(taken);
    left -= taken;
    if (at.interrupted()) return progress::waiting_room;
  }
  return progress::more;
}

bool reordering::is_due(const void* item, std::size_t word) const noexcept {
  const std::uint64_t number = tag::number(tag::of(item, word));
  return number <= due_ || number == outside;
}

// The channel whose first item is due; null if that is on its way.
in_channel* reordering::find(ports& at) noexcept {
  const std::size_t own = at.in().words() - 1;
  const std::vector<in_channel*>& open = at.in().open();
  bool heads = true;  // whether every channel shows its first item
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  in_channel* first = nullptr;
  const std::size_t start = current_ == nullptr ? 0 : current_->index();
  std::size_t at_channel = 0;
  while (at_channel < open.size() && open[at_channel]->index() < start) ++at_channel;
  for (std::size_t left = open.size(); left != 0; --left) {
    if (at_channel >= open.size()) at_channel = 0;
    in_channel& from = *open[at_channel];
    const bool closed = from.closed();  // before the look
    const channel::slots found = from.data().claim_written();
    if (found.count == 0) {
      if (closed) {
        at.in().leave_ended(from);
        continue;
      }
      heads = false;
      ++at_channel;
      continue;
    }
    const std::byte* const item = found.first + from.data().layout().header;
    if (is_due(item, own)) return current_ = &from;
    const std::uint64_t number = tag::number(tag::of(item, own));
    if (number < least) {
      least = number;
      first = &from;
    }
    ++at_channel;
  }
  if (!heads || first == nullptr) return nullptr;
  // What is due was lost with a node that ended early.
  due_ = least;
  return current_ = first;
}

// Before it waits: what lies in the channels is no news. @return whether a channel that was empty is no longer
bool reordering::look_again(ports& at) noexcept {
  bool news = false;
  for (in_channel* from : at.in().open()) {
    const bool empty = from->data().pending() == 0;
    const bool filled = from->data().claim_all_written().count != 0;
    from->data().note(from->data().taken() + from->data().pending());
    news = news || (empty && (filled || from->data().ended()));
  }
  return news;
}

std::size_t reordering::forward(in_channel& from, std::size_t most, ports& at) {
  const channel::slots found = from.data().claim_written();
  from.sample_fill();
  const std::size_t own = at.in().words() - 1;
  claimed_slots slots(found.first + from.data().layout().header, from.data());
  for (most = std::min(most, found.count); most != 0 && !at.blocked(); --most) {
    std::byte* const item = slots.item();
    if (!is_due(item, own)) break;
    const tag::word word = tag::of(item, own);
    forward(item, at);
    if ((word & tag::last) != 0) due_ = std::max(due_, tag::number(word) + 1);
    slots.done();
  }
  return slots.count();
}

void reordering::forward(std::byte* item, ports& at) {
  const bool marker = tag::is_marker(item);
  out_port& out = at.out();
  if (out.words() == 0) {
    if (!marker) send(out, item);
    return;
  }
  bool awaited = false;  // whether a numbering around this one waits for the last of an input
  for (std::size_t i = 0; i != out.words(); ++i) {
    at.current_tag()[i] = tag::of(item, i);
    awaited = awaited || (tag::of(item, i) & tag::last) != 0;
  }
  if (!marker) {
    send(out, item);
  } else if (awaited) {
    out.send_marker();
  }
}

}  // namespace weir
