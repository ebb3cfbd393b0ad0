// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/blocks/fuse.hpp"
#include "weir/detail/blocks/node_functions.hpp"
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/claimed.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"

#include "blocks/raw_slot.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

namespace weir::detail {
namespace {

using counter = std::atomic<std::uint64_t>;

/// Claimed items that a function takes. When the function ends, also by an exception, the
/// destructor tells the channel how many items it took.
class claimed_batch {
 public:
  claimed_batch(batch& some, std::byte* first, std::size_t count, channel& from, const item_type& type) noexcept
      : some_(some), from_(from), type_(type), first_(first), before_(from.taken()) {
    some.in = first;
    some.in_stride = from.layout().size;
    some.count = count;
    some.taken = before_;
    some.taken_so_far = &from.completion();
  }
  claimed_batch(const claimed_batch&) = delete;
  claimed_batch& operator=(const claimed_batch&) = delete;
  ~claimed_batch() {
    const std::size_t taken = count();
    if (!some_.told) from_.completed_to(before_ + taken);
    from_.advance(taken);
  }

  std::size_t count() const noexcept {
    return some_.told ? static_cast<std::size_t>(some_.taken_so_far->load(std::memory_order_relaxed) - before_)
                      : static_cast<std::size_t>(some_.taken - before_);
  }

  /// Called when the function has thrown: the current item is lost, too.
  void lose_item() noexcept {
    const std::size_t taken = count();
    if (type_.destroy != nullptr) type_.destroy(first_ + taken * some_.in_stride);
    some_.taken = before_ + taken + 1;
    if (some_.told) from_.completed_to(some_.taken);
  }

 private:
  batch& some_;
  channel& from_;
  const item_type& type_;
  std::byte* const first_;
  const std::uint64_t before_;
};

/// Granted slots that a function fills. When the function ends, the destructor tells the channel
/// how many it filled.
class granted_batch {
 public:
  granted_batch(batch& some, out_port& to) noexcept
      : some_(some), to_(*to.run()), before_(to_.written.load(std::memory_order_relaxed)) {
    some.out = to_.at + to.header();
    some.out_stride = to.stride();
    some.sent = before_;
    some.sent_so_far = &to_.written;
  }
  granted_batch(const granted_batch&) = delete;
  granted_batch& operator=(const granted_batch&) = delete;
  ~granted_batch() {
    const std::size_t sent = count();
    to_.at += sent * some_.out_stride;
    to_.left_in_segment -= sent;
    // Pairs with the acquire in claim_written().
    if (!some_.told) to_.written.store(before_ + sent, std::memory_order_release);
  }

  std::size_t count() const noexcept {
    return some_.told ? static_cast<std::size_t>(to_.written.load(std::memory_order_relaxed) - before_)
                      : static_cast<std::size_t>(some_.sent - before_);
  }

 private:
  batch& some_;
  producer_side& to_;
  const std::uint64_t before_;
};

/// While this object lives, no consumer is told of sent items. They are told at the end of the
/// turn.
class end_of_turn {
 public:
  end_of_turn(out_port& to, bool ends) noexcept : to_(to) { to_.ends_turn(ends); }
  end_of_turn(const end_of_turn&) = delete;
  end_of_turn& operator=(const end_of_turn&) = delete;
  ~end_of_turn() { to_.ends_turn(false); }

 private:
  out_port& to_;
};

void destroy(const item_type& type, void* item) noexcept {
  if (type.destroy != nullptr) type.destroy(item);
}

/// Prepares a batch for a function that is called for one item which is not in a run of slots. The
/// caller must still set the address of the item.
void take_one_by_one(batch& some, bool told) noexcept {
  some.taken = 0;
  some.taken_so_far = nullptr;
  some.count = 1;
  some.sent = 0;
  some.sent_so_far = nullptr;
  some.in_stride = some.out_stride = 0;
  some.told = told;
}

/// A node of an author: an object and the table of its functions.
class typed_node final : public behaviour {
 public:
  /// @throws whatever the author's functions throw
  typed_node(const node_functions& about, void* prototype) : about_(about), memory_(about.size, about.alignment) {
    about.make(memory_.get(), prototype);
  }
  ~typed_node() override {
    if (about_.destroy != nullptr) about_.destroy(memory_.get());
  }

  void start(ports& at) override {
    if (about_.is_loop) at.owner().ends_when_drained = true;
    if (about_.start != nullptr) about_.start(memory_.get(), at);
  }

  progress step(ports& at, std::size_t budget) override {
    if (about_.ins == 1) return take_from(0, at, budget);
    if (about_.ins != 0) return take_in_turn(at, budget);
    return about_.is_loop ? run(at) : make(at, budget);
  }

  void quiet(ports& at) override {
    if (about_.quiet != nullptr) about_.quiet(memory_.get(), at);
  }

  bool has_deadlines() const noexcept override { return about_.deadline != nullptr; }
  std::int64_t deadline() override { return about_.deadline(memory_.get()); }

  void on_deadline(ports& at) override {
    at.tag_outside();
    about_.on_deadline(memory_.get(), at);
  }

  void finish(ports& at) override {
    at.tag_outside();
    if (about_.finish != nullptr) about_.finish(memory_.get(), at);
  }

 private:
  batch batch_at(ports& at) const noexcept {
    batch some;  // not cleared: see `batch`
    some.told = true;
    some.at = &at;
    some.spilling = &at.owner().spilling;
    some.requests = &at.owner().requests().both();
    if (about_.outs != 0) {
      some.to = &at.out();
      some.sleeping = &at.out().sleeping();
    }
    return some;
  }

  /// Returns a slot for an item that no channel has room for yet, or for which a policy must first
  /// choose a consumer.
  std::byte* slot() {
    if (!slot_) slot_.emplace(*about_.out[0]);
    return slot_->get();
  }

  // ---- a source ----

  progress run(ports& at) {
    batch some = batch_at(at);
    const std::uint64_t before = at.out().sent();
    about_.take[0].call(memory_.get(), some);
    at.count(at.out().sent() - before);
    return progress::ended;
  }

  progress make(ports& at, std::size_t budget) {
    batch some = batch_at(at);
    for (std::size_t left = budget; left != 0;) {
      if (at.draining()) return progress::ended;
      const std::size_t wanted = std::min(left, at.run_length());
      const std::size_t room = at.out().cursor()->room(at.out().stride(), wanted);
      const made_items made = room != 0 ? make_some(at, some, room) : make_singly(at, some, wanted);
      at.count(made.count);
      left -= made.count;
      if (made.ended) return progress::ended;
      if (at.interrupted()) [[unlikely]]
        break;
    }
    return progress::more;
  }

  struct made_items {
    std::size_t count;
    bool ended;
  };

  made_items make_some(ports& at, batch& some, std::size_t room) {
    const granted_batch slots(some, at.out());
    some.count = room;
    some.sleeping = &at.out().sleeping();
    about_.take[0].call(memory_.get(), some);
    return {slots.count(), slots.count() != some.count};
  }

  // Makes items one by one, through the general path that makes room, until there is room.
  made_items make_singly(ports& at, batch& some, std::size_t wanted) {
    counter sent{0};  // 1 once there is an item
    take_one_by_one(some, true);
    some.out = slot();
    some.sent_so_far = &sent;
    some.sleeping = &sleepers::nobody();
    std::size_t made = 0;
    do {
      sent.store(0, std::memory_order_relaxed);
      about_.take[0].call(memory_.get(), some);
      if (sent.load(std::memory_order_relaxed) == 0) return {made, true};
      at.out().send_relocated(some.out);
      ++made;
    } while (made != wanted && !at.interrupted() && !at.out().has_room());
    return {made, false};
  }

  // ---- a node that takes ----

  // Takes items that come back from a loop first. Then takes items from the other in-ports in turn,
  // at most one run between two checks of the loop.
  progress take_in_turn(ports& at, std::size_t budget) {
    for (;;) {
      const std::size_t before = budget;
      std::size_t ended = 0;
      for (const bool back : {true, false}) {
        for (std::size_t port = 0; port != about_.ins; ++port) {
          if (at.in(port).closes_loop() != back) continue;
          const std::size_t most = back ? budget : std::min(budget, at.run_length());
          std::size_t share = most;
          const progress how = take_from(port, at, share);
          budget -= most - share;
          if (how == progress::ended) ++ended;
          if (how == progress::waiting_room) return how;
          if (budget == 0) return progress::more;
        }
      }
      if (ended == about_.ins) return progress::ended;
      if (budget == before) return progress::waiting_input;
    }
  }

  progress take_from(std::size_t port, ports& at, std::size_t& budget) {
    at.take_from(port);
    return at.consume(
        budget,
        [&](std::byte* first, std::size_t count, channel& from) {
          const batch_function& take = about_.take[port];
          if (at.in(port).words() != 0 && about_.outs != 0) return take_tagged(take, first, count, from, at, port);
          // With several ports, other ports may also take items in the same turn. The function for
          // a deadline also runs in the turn.
          const bool last = count >= budget && about_.ins == 1 && about_.deadline == nullptr;
          return take_some(take, first, count, from, at, port, last);
        },
        port);
  }

  // Calls the function, and tells `items` if the function throws.
  void call(const batch_function& take, batch& some, claimed_batch& items) {
    try {
      take.call(memory_.get(), some);
    } catch (...) {
      items.lose_item();
      throw;
    }
  }

  // @param last whether the turn ends with these items
  std::size_t take_some(const batch_function& take, std::byte* first, std::size_t count, channel& from, ports& at,
                        std::size_t port, bool last) {
    const item_type& type = *about_.in[port];
    batch some = batch_at(at);
    if (take.how != sending::value) {
      some.told = take.how == sending::outlets || !from.internal();
      claimed_batch items(some, first, count, from, type);
      call(take, some, items);
      return items.count();
    }
    out_port& to = at.out();
    const end_of_turn about_to_end(to, last && count == 1);
    if (const std::size_t room = to.cursor()->room(to.stride(), count); room != 0) {
      some.told = !from.internal() || !to.internal();
      claimed_batch items(some, first, room, from, type);
      const granted_batch slots(some, to);  // destroyed first: counts its items before `items` are completed
      call(take, some, items);
      return items.count();
    }
    return take_singly(take, first, count, from, at, some, type);
  }

  // Takes items one by one, through the general path that makes room, until there is room.
  std::size_t take_singly(const batch_function& take, std::byte* first, std::size_t count, channel& from, ports& at,
                          batch& some, const item_type& type) {
    claimed_slots items(first, from);
    out_port& to = at.out();
    take_one_by_one(some, false);
    some.out = slot();
    for (; count != 0 && !at.blocked() && !to.has_room(); --count) {
      some.in = items.item();
      some.sent = 0;
      try {
        take.call(memory_.get(), some);
      } catch (...) {
        if (type.destroy != nullptr) type.destroy(items.item());
        items.empty();
        throw;
      }
      items.empty();
      if (some.sent != 0) to.send_relocated(some.out);
      items.done();  // now that all its results are sent
    }
    return items.count();
  }

  // For nodes that make exactly one item of each item: sends results with the tags of their items,
  // while there are slots. Stops at a marker.
  std::size_t take_tagged_run(const batch_function& take, std::byte* first, std::size_t count, channel& from, ports& at,
                              batch& some, const item_type& type) {
    out_port& to = at.out();
    const std::size_t stride_in = from.layout().size;
    const std::size_t stride_out = to.stride();
    const std::size_t words = to.words();
    count = to.run()->room(stride_out, count);
    if (count == 0) return 0;
    std::byte* item = first;
    std::byte* slot = to.next_in_run();
    std::size_t length = 0;
    for (; length != count && !tag::is_marker(item); ++length) {
      for (std::size_t i = 0; i != words; ++i) tag::of(slot, i) = tag::of(item, i);
      item += stride_in;
      slot += stride_out;
    }
    if (length == 0) return 0;
    std::size_t taken = 0;
    bool one_lost = false;
    {
      claimed_batch items(some, first, length, from, type);
      const granted_batch slots(some, to);  // destroyed first: counts its items before `items` are completed
      try {
        call(take, some, items);
      } catch (...) {
        at.lose_item(tag::of(to.next_in_run() + slots.count() * stride_out, 0));
        one_lost = true;
      }
      taken = items.count();
    }
    if (one_lost) {  // the next slot already has the tag of the lost item
      tag::of(to.next_in_run(), 0) |= tag::marker;
      to.sent_in_run();
    }
    return taken;
  }

  // The results of an item have its tag. The last of them is the only result of the item or, if
  // there may be no or several results, a marker behind them.
  std::size_t take_tagged(const batch_function& take, std::byte* first, std::size_t count, channel& from, ports& at,
                          std::size_t port) {
    out_port& to = at.out();
    batch some = batch_at(at);
    const bool at_most_one = take.how == sending::value;
    if (about_.one_for_one) {
      const std::size_t run = take_tagged_run(take, first, count, from, at, some, *about_.in[port]);
      if (run != 0) return run;
      count = 1;
    }
    counter taken{0};  // not used
    take_one_by_one(some, !at_most_one);
    some.taken_so_far = &taken;
    claimed_slots slots(first, from);
    for (; count != 0 && !at.blocked(); --count, slots.done()) {
      const bool last = at.tag_as(slots.item(), at_most_one ? 0 : tag::last);
      if (tag::is_marker(slots.item())) {
        at.tag_as(slots.item());
        to.send_marker();
        continue;
      }
      to.forget_sent();
      some.in = slots.item();
      if (at_most_one) some.out = to.has_run() ? to.next_in_run() : slot();
      some.sent = 0;
      bool made = false;
      bool taken_out = false;
      try {
        take.call(memory_.get(), some);
        slots.empty();
        taken_out = true;
        made = at_most_one && some.sent != 0;
        if (made) some.out == slot() ? to.send_relocated(some.out) : to.send_in_run();
      } catch (...) {
        at.lose_item(tag::of(slots.item(), 0));
        if (!taken_out) destroy(*about_.in[port], slots.item());
        slots.empty();
        made = false;
      }
      if (last && !made) {
        at.tag_as(slots.item());
        to.send_marker();
      }
    }
    return slots.count();
  }

  const node_functions& about_;
  const raw_slot memory_;  // memory of the node
  std::optional<raw_slot> slot_;
};

/// The prototype of a block's nodes, shared by the copies of the block.
class prototype {
 public:
  /// Takes ownership of `owned`.
  prototype(const char* kind, const node_functions& about, void* owned) noexcept
      : kind_(kind), about_(about), value_(owned) {}
  prototype(const prototype&) = delete;
  prototype& operator=(const prototype&) = delete;
  ~prototype() { about_.destroy_prototype(value_); }

  std::unique_ptr<behaviour> make() {
    if (about_.only_once && used_.exchange(true, std::memory_order_relaxed)) {
      throw graph_error(kind_, "this node can't be copied and is used a second time; give farm a factory instead");
    }
    return std::make_unique<typed_node>(about_, value_);
  }

 private:
  const char* const kind_;
  const node_functions& about_;
  void* const value_;
  std::atomic<bool> used_{false};
};

}  // namespace

shape_pointer node_shape(const char* kind, const node_functions& functions, void* owned) {
  std::unique_ptr<void, void (*)(void*) noexcept> held(owned, functions.destroy_prototype);
  auto shared = std::make_shared<prototype>(kind, functions, owned);
  held.release();
  shape made;
  made.kind = kind;
  made.in.assign(functions.in, functions.in + functions.ins);
  made.out.assign(functions.out, functions.out + functions.outs);
  made.make = [shared = std::move(shared)] { return shared->make(); };
  made.reusable = !functions.only_once;
  made.one_for_one = functions.one_for_one;
  made.plain = functions.plain;
  made.traits.on_own_thread = functions.is_loop;
  return share(std::move(made));
}

item_sender& sender_of(ports& at, std::size_t i) noexcept { return at.out(i); }

// ---- nodes that are fused ----

item_sender& handing_port::to(ports& at, const item_type& type, void* receiver,
                              void (*take)(void* receiver, void* item)) {
  if (port_ == nullptr) port_ = at.inner_port(type).release();
  static_cast<out_port*>(port_)->relay(receiver, take);
  return *port_;
}

handing_port::~handing_port() { delete static_cast<out_port*>(port_); }

}  // namespace weir::detail
