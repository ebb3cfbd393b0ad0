// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/blocks/fuse.hpp"
#include "weir/detail/blocks/node_functions.hpp"
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/behaviour.hpp"
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

told telling(bool each) noexcept { return each ? told::each : told::together; }

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
      const std::size_t room = at.out().room(wanted);
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
    channel::writer slots = at.out().write();
    some.out = &slots.lend();
    some.count = room;
    some.sleeping = &at.out().sleeping();
    about_.take[0].call(memory_.get(), some);
    slots.catch_up();
    return {slots.count(), slots.count() != some.count};
  }

  // Makes items one by one, through the general path that makes room, until there is room.
  made_items make_singly(ports& at, batch& some, std::size_t wanted) {
    counter sent{0};  // 1 once there is an item
    cursor out{slot(), 0, &sent, 0};
    some.out = &out;
    some.count = 1;
    some.sleeping = &sleepers::nobody();
    std::size_t made = 0;
    do {
      sent.store(0, std::memory_order_relaxed);
      about_.take[0].call(memory_.get(), some);
      if (sent.load(std::memory_order_relaxed) == 0) return {made, true};
      at.out().send_relocated(slot());
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
        [&](channel& from, std::size_t count) {
          const batch_function& take = about_.take[port];
          if (at.in(port).tag_words() != 0 && about_.outs != 0) return take_tagged(take, from, count, at, port);
          // With several ports, other ports may also take items in the same turn. The function for
          // a deadline also runs in the turn.
          const bool last = count >= budget && about_.ins == 1 && about_.deadline == nullptr;
          return take_some(take, from, count, at, port, last);
        },
        port);
  }

  // Calls the function for the next `count` items. If the function throws, the current item is
  // lost.
  void call(const batch_function& take, batch& some, channel::reader& items, std::size_t count, const item_type& type) {
    some.in = &items.lend();
    some.count = count;
    try {
      take.call(memory_.get(), some);
    } catch (...) {
      items.catch_up();
      destroy(type, items.item());
      items.done();
      throw;
    }
    items.catch_up();
  }

  // @param last whether the turn ends with these items
  std::size_t take_some(const batch_function& take, channel& from, std::size_t count, ports& at, std::size_t port,
                        bool last) {
    const item_type& type = *about_.in[port];
    batch some = batch_at(at);
    if (take.how != sending::value) {
      some.told = take.how == sending::outlets || !from.internal();
      channel::reader items = from.read(count, telling(some.told));
      call(take, some, items, count, type);
      return items.count();
    }
    out_port& to = at.out();
    const end_of_turn about_to_end(to, last && count == 1);
    if (const std::size_t room = to.room(count); room != 0) {
      some.told = !from.internal() || !to.internal();
      channel::reader items = from.read(room, telling(some.told));
      channel::writer slots = to.write(telling(some.told));  // destroyed first: its items before those of `items`
      some.out = &slots.lend();
      call(take, some, items, room, type);
      return items.count();
    }
    return take_singly(take, from, count, at, some, type);
  }

  // Takes items one by one, through the general path that makes room, until there is room.
  std::size_t take_singly(const batch_function& take, channel& from, std::size_t count, ports& at, batch& some,
                          const item_type& type) {
    channel::reader items = from.read(count);
    out_port& to = at.out();
    cursor in{};
    cursor out{};
    some.in = &in;
    some.out = &out;
    some.count = 1;
    some.told = false;
    while (items.more() && !at.blocked() && !to.has_room()) {
      in = {items.item(), 0, nullptr, 0};
      out = {slot(), 0, nullptr, 0};
      try {
        take.call(memory_.get(), some);
      } catch (...) {
        destroy(type, items.item());
        items.emptied();
        throw;
      }
      items.emptied();
      if (out.number != 0) to.send_relocated(slot());
      items.done();  // now that all its results are sent
    }
    return items.count();
  }

  // For nodes that make exactly one item of each item: sends results with the tags of their items,
  // while there are slots. Stops at a punctuation.
  std::size_t take_tagged_run(const batch_function& take, channel& from, std::size_t count, ports& at, batch& some,
                              const item_type& type) {
    out_port& to = at.out();
    const std::size_t tag_words = to.tag_words();
    count = to.room_in_run(count);
    if (count == 0) return 0;
    channel::reader items = from.read(count);
    channel::writer slots = to.write();  // destroyed first: its items before those of `items`
    std::size_t length = 0;
    for (; length != count && !tag::is_punctuation(items.item(length)); ++length) {
      for (std::size_t i = 0; i != tag_words; ++i) tag::of(slots.item(length), i) = tag::of(items.item(length), i);
    }
    if (length == 0) return 0;
    some.out = &slots.lend();
    try {
      call(take, some, items, length, type);
      slots.catch_up();
    } catch (...) {
      slots.catch_up();
      // The next slot already has the tag of the lost item.
      at.lose_item(tag::of(slots.item(), 0));
      tag::of(slots.item(), 0) |= tag::punctuation;
      slots.done();
      to.after_write();
    }
    return items.count();
  }

  // The results of an item have its tag. The last of them is the only result of the item or, if
  // there may be no or several results, a punctuation behind them.
  std::size_t take_tagged(const batch_function& take, channel& from, std::size_t count, ports& at, std::size_t port) {
    out_port& to = at.out();
    batch some = batch_at(at);
    const bool at_most_one = take.how == sending::value;
    if (about_.one_for_one) {
      const std::size_t run = take_tagged_run(take, from, count, at, some, *about_.in[port]);
      if (run != 0) return run;
      count = 1;
    }
    counter taken{0};  // not used
    cursor in{};
    cursor out{};
    some.in = &in;
    some.out = &out;
    some.count = 1;
    some.told = !at_most_one;
    channel::reader items = from.read(count);
    for (; items.more() && !at.blocked(); items.done()) {
      const bool last = at.tag_as(items.item(), at_most_one ? 0 : tag::last);
      if (tag::is_punctuation(items.item())) {
        at.tag_as(items.item());
        to.send_punctuation();
        continue;
      }
      to.forget_sent();
      in = {items.item(), 0, &taken, 0};
      if (at_most_one) out = {to.has_run() ? to.next_in_run() : slot(), 0, nullptr, 0};
      std::byte* const result = out.item;
      bool made = false;
      bool taken_out = false;
      try {
        take.call(memory_.get(), some);
        items.emptied();
        taken_out = true;
        made = at_most_one && out.number != 0;
        if (made) result == slot() ? to.send_relocated(result) : to.send_in_run();
      } catch (...) {
        at.lose_item(tag::of(items.item(), 0));
        if (!taken_out) destroy(*about_.in[port], items.item());
        items.emptied();
        made = false;
      }
      if (last && !made) {
        at.tag_as(items.item());
        to.send_punctuation();
      }
    }
    return items.count();
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
  made.has_quiet = functions.quiet != nullptr;
  made.traits.on_own_thread = functions.is_loop;
  return share(std::move(made));
}

item_sender& sender_of(ports& at, std::size_t i) noexcept { return at.out(i); }

bool has_partial_item(ports& at) noexcept { return at.owner().has_partial_item.load(std::memory_order_relaxed); }

// ---- nodes that are fused ----

item_sender& handing_port::to(ports& at, const item_type& type, void* receiver,
                              void (*take)(void* receiver, void* item)) {
  if (port_ == nullptr) port_ = at.inner_port(type).release();
  static_cast<out_port*>(port_)->relay(receiver, take);
  return *port_;
}

handing_port::~handing_port() { delete static_cast<out_port*>(port_); }

}  // namespace weir::detail
