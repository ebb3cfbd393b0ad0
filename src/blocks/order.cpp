// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "blocks/order.hpp"

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/item/copy_item.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace weir::detail {
namespace {

constexpr std::uint64_t outside = tag::number(tag::outside);

// Sends the current item on, with the current tag.
void send(out_port& out, channel::reader& slots) {
  slots.emptied();
  out.send_relocated(slots.item());
}

// Moves one item after another from claimed slots into granted slots, while there are items and
// slots and `pass(from, to)` allows it. `pass` also writes the tag. The nodes that use this class
// do little work per item, so it keeps its state in registers.
class conveyor {
 public:
  conveyor(channel& from, out_port& out) noexcept : copier_(out.type()), from_(from), out_(out) {}

  // @return the number of slots that were processed. `pass` says whether the item goes on, is
  // dropped, or must not be touched yet.
  enum class verdict { send, drop, stop };
  template <class Pass>
  std::size_t run(std::size_t most, Pass&& pass) {
    if (!out_.has_run()) return 0;
    channel::reader items = from_.read(most);
    channel::writer slots = out_.write();
    for (; items.more() && slots.more(); items.done()) {
      const verdict how = pass(items.item(), slots.item());
      if (how == verdict::stop) break;
      if (how == verdict::drop) continue;
      // `pass` has copied the tag.
      if (out_.tag_words() == 0 || !tag::is_punctuation(slots.item())) copier_.relocate(slots.item(), items.item());
      slots.done();
      out_.after_write();
    }
    return items.count();
  }

 private:
  const detail::item_copier copier_;
  channel& from_;
  out_port& out_;
};

}  // namespace

// ---- the limit on items inside a block ----

void admission::way_out_ends() noexcept {
  way_out_.store(nullptr, std::memory_order_relaxed);
  count_.reset();
}

void admission::begin_at(host& way_in) {
  if (!has_way_out_)
    throw std::logic_error(
        "the two ends of a block with in_flight() are in different groups; put its nodes \"number\" and \"order\" into "
        "one");
  way_in_.store(&way_in, std::memory_order_relaxed);
  native_atomics::fence_full();
  if (host* const out = way_out_.load(std::memory_order_relaxed); out != nullptr)
    way_in.let_on_by.store(out, std::memory_order_relaxed);
}

void admission::end_at(host& way_out) noexcept {
  way_out_.store(&way_out, std::memory_order_relaxed);
  native_atomics::fence_full();
  if (host* const in = way_in_.load(std::memory_order_relaxed); in != nullptr)
    in->let_on_by.store(&way_out, std::memory_order_relaxed);
}

// ---- the entry node ----

void numbering::start(ports& at) {
  next_ = 0;
  if (limit_ != nullptr) limit_->begin_at(at.owner());
}

progress numbering::step(ports& at, std::size_t budget) {
  if (limit_ != nullptr) {
    const std::uint64_t room = limit_->room(next_);
    if (room == 0) return progress::waiting_room;
    budget = static_cast<std::size_t>(std::min<std::uint64_t>(budget, room));
  }
  return at.consume(budget, [&](channel& from, std::size_t count) { return take(from, count, at); });
}

std::size_t numbering::take(channel& from, std::size_t count, ports& at) {
  const std::size_t own = at.in().tag_words();
  const auto own_word = [&](const void* item) {
    return own == 0 || tag::number(tag::of(item, 0)) != outside ? tag::numbered(next_++) : tag::outside;
  };
  const std::size_t run = conveyor(from, at.out()).run(count, [&](std::byte* item, std::byte* to) {
    for (std::size_t i = 0; i != own; ++i) tag::of(to, i) = tag::of(item, i);
    tag::of(to, own) = own_word(item);
    return conveyor::verdict::send;
  });
  if (run != 0) return run;
  // Sends one item through the general path, which renews the run.
  channel::reader slots = from.read(1);
  at.tag_as(slots.item());
  at.current_tag()[own] = own_word(slots.item());
  if (own != 0 && tag::is_punctuation(slots.item())) {
    at.out().send_punctuation();
  } else {
    send(at.out(), slots);
  }
  slots.done();
  return slots.count();
}

// ---- the exit node ----

reordering::reordering(std::shared_ptr<admission> limit) noexcept : limit_(std::move(limit)) {
  if (limit_ != nullptr) limit_->has_way_out();
}

void reordering::start(ports& at) {
  if (limit_ != nullptr) limit_->end_at(at.owner());
  due_ = 0;
  current_ = nullptr;
}

progress reordering::step(ports& at, std::size_t budget) {
  for (std::size_t left = budget; left != 0;) {
    in_channel* const next = find(at);
    if (next == nullptr) {
      if (at.in().ended()) return progress::ended;
      if (at.in().look_again()) continue;
      tell_done(true);
      return progress::waiting_input;
    }
    const std::size_t taken = forward(*next, std::min({left, at.run_length(), in_port::run_in(next->data())}), at);
    at.in().touch(*next);
    next->offer_room(false);
    at.count(taken);
    left -= taken;
    const bool waits = at.interrupted();
    tell_done(waits);
    if (waits) return progress::waiting_room;
  }
  return progress::more;
}

void reordering::tell_done(bool idle) noexcept {
  if (limit_ != nullptr) limit_->done(due_, idle);
}

bool reordering::is_due(tag::word word) const noexcept {
  const std::uint64_t number = tag::number(word);
  return number <= due_ || number == outside;
}

// Returns the channel whose first item is due, or null if that item is still under way.
in_channel* reordering::find(ports& at) noexcept {
  const std::size_t own = at.in().tag_words() - 1;
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
    const bool closed = from.closed();  // read before the check of the channel
    const std::size_t found = from.data().claim_written();
    if (found == 0) {
      if (closed) {
        at.in().leave_ended(from);
        continue;
      }
      heads = false;
      ++at_channel;
      continue;
    }
    const channel::reader items = from.data().read(found);
    const std::byte* const item = items.item();
    if (is_due(tag::of(item, own))) return current_ = &from;
    const std::uint64_t number = tag::number(tag::of(item, own));
    if (number < least) {
      least = number;
      first = &from;
    }
    ++at_channel;
  }
  if (!heads || first == nullptr) return nullptr;
  // The due item was lost with a node that ended early.
  due_ = least;
  return current_ = first;
}

std::size_t reordering::forward(in_channel& from, std::size_t most, ports& at) {
  most = std::min(most, from.data().claim_written());
  from.sample_fill();
  const std::size_t own = at.in().tag_words() - 1;
  const std::size_t run = conveyor(from.data(), at.out()).run(most, [&](std::byte* item, std::byte* to) {
    const tag::word word = tag::of(item, own);
    if (!is_due(word)) return conveyor::verdict::stop;
    const bool goes_on = !tag::is_punctuation(item) || is_awaited(item, own);
    for (std::size_t i = 0; i != own; ++i) tag::of(to, i) = tag::of(item, i);
    passed(word);
    return goes_on ? conveyor::verdict::send : conveyor::verdict::drop;
  });
  if (run != 0 || most == 0) return run;
  // Sends one item, which is due, through the general path, which renews the run.
  channel::reader slots = from.data().read(1);
  const std::byte* const item = slots.item();
  const tag::word word = tag::of(item, own);
  for (std::size_t i = 0; i != own; ++i) at.current_tag()[i] = tag::of(item, i);
  if (!tag::is_punctuation(item)) {
    send(at.out(), slots);
  } else if (is_awaited(item, own)) {
    at.out().send_punctuation();
  }
  passed(word);
  slots.done();
  return slots.count();
}

void reordering::passed(tag::word word) noexcept {
  if ((word & tag::last) != 0) due_ = std::max(due_, tag::number(word) + 1);
}

// Returns whether an outer numbering waits for the last item of an input, and this is that item.
bool reordering::is_awaited(const void* item, std::size_t tag_words) noexcept {
  for (std::size_t i = 0; i != tag_words; ++i) {
    if ((tag::of(item, i) & tag::last) != 0) return true;
  }
  return false;
}

}  // namespace weir::detail
