// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/graph.hpp"
#include "weir/io/from.hpp"
#include "weir/item/item_type.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace weir::testing {

/// An item of front ends like FastFlow's: opaque, mostly a pointer or a number.
using word = void*;

inline word word_of(std::uintptr_t number) noexcept { return reinterpret_cast<word>(number); }
inline std::uintptr_t number_of(word item) noexcept { return reinterpret_cast<std::uintptr_t>(item); }

/// Values that `svc` returns when it has nothing to send on (`go_on`), and when the node is done
/// (`eos`).
inline const word go_on = word_of(~std::uintptr_t{3});
inline const word eos = word_of(~std::uintptr_t{0});

/// A node for words, built on nothing but `weir::detail::behaviour` and its ports. `svc` is called
/// once for each item or, if the node has no in-port, again and again with null. The returned word
/// is sent on. The node ends when all inputs have ended or `svc` returns `eos`.
class word_node : public detail::behaviour {
 public:
  virtual word svc(word item) = 0;
  virtual void svc_init() {}
  virtual void svc_end() {}
  /// In-channel `channel` has ended; `send` is still legal.
  virtual void eosnotify(std::size_t channel) { static_cast<void>(channel); }

  /// Calls `svc(nullptr)` once before the first item, as needed at the head of a loop.
  word_node& called_first() {
    called_first_ = true;
    return *this;
  }

  // ---- from inside svc and eosnotify ----

  void send(word item) {
    if (next_ != nullptr) {
      next_->take(item);
    } else {
      place(at_->out().acquire(&item), item);
    }
  }
  void send_to(std::size_t consumer, word item) { place(at_->out().acquire(&item, consumer), item); }
  void broadcast(word item) {
    for (std::size_t i = 0; i != outs(); ++i) send_to(i, item);
  }

  std::size_t outs() const noexcept { return at_->outs() == 0 ? 0 : at_->out().width(); }
  std::size_t from() const noexcept { return at_->in().from(); }
  std::size_t id() const noexcept { return at_->index(); }

  // ---- behaviour ----

  void start(detail::ports& at) override {
    open(at);
    called_ = false;
    notified_.assign(at.ins() == 0 ? 0 : at.in().width(), false);
  }

  detail::progress step(detail::ports& at, std::size_t budget) override {
    if (at.ins() == 0) return make_items(at, budget);
    if (called_first_ && !std::exchange(called_, true)) {
      take(nullptr);
      if (ended_) return detail::progress::ended;
      if (at.interrupted()) return detail::progress::waiting_room;
    }
    const std::size_t given = budget;
    const detail::progress how = at.in().consume(
        budget, 1,
        [this](detail::channel& from, std::size_t) {
          detail::channel::reader items = from.read(1);
          items.take<word>([this](word item) { take(item); });
          return std::size_t{1};
        },
        [&] { return ended_ || at.interrupted(); });
    at.count(given - budget);
    if (ended_) return detail::progress::ended;
    const auto& channels = at.in().channels();
    for (std::size_t i = 0; i != channels.size(); ++i) {
      if (notified_[i] || !(how == detail::progress::ended || channels[i]->data().ended())) continue;
      notified_[i] = true;
      notify_end(i);
    }
    return how;
  }

  void finish(detail::ports&) override { end(); }

 protected:
  /// Makes `send` pass items to `next`, which then runs inside this node (a comb).
  void lead_to(word_node& next) noexcept { next_ = &next; }

  virtual void open(detail::ports& at) {
    at_ = &at;
    ended_ = false;
    svc_init();
  }
  virtual void end() { svc_end(); }
  virtual void notify_end(std::size_t channel) { eosnotify(channel); }
  /// Takes one item, or null for a call without an item.
  virtual void take(word item) {
    if (ended_) return;
    const word made = svc(item);
    if (made == eos || made == nullptr) {
      ended_ = true;
    } else if (made != go_on && (next_ != nullptr || at_->outs() != 0)) {
      send(made);
    }
  }

  bool ended_ = false;

 private:
  friend class word_comb;

  detail::progress make_items(detail::ports& at, std::size_t budget) {
    for (std::size_t made = 0; made != budget; ++made) {
      if (at.draining()) return detail::progress::ended;
      take(nullptr);
      if (ended_) return detail::progress::ended;
      if (at.interrupted()) break;
    }
    return detail::progress::more;
  }

  void place(detail::out_port::place to, word item) {
    ::new (to.slot) word(item);
    at_->out().commit(to);
  }

  detail::ports* at_ = nullptr;
  word_node* next_ = nullptr;
  bool called_first_ = false;
  bool called_ = false;
  std::vector<bool> notified_;
};

/// A word node from a function `(word_node& self, word item) -> word`.
class word_function final : public word_node {
 public:
  using body = std::function<word(word_node& self, word item)>;
  explicit word_function(body svc) : svc_(std::move(svc)) {}
  word svc(word item) override { return svc_(*this, item); }

 private:
  body svc_;
};

/// Two word nodes combined into one: the second takes each item as soon as the first sends it.
class word_comb final : public word_node {
 public:
  word_comb(std::unique_ptr<word_node> first, std::unique_ptr<word_node> second)
      : first_(std::move(first)), second_(std::move(second)) {
    first_->lead_to(*second_);
  }

  word svc(word) override { return go_on; }

 private:
  void open(detail::ports& at) override {
    word_node::open(at);
    first_->open(at);
    second_->open(at);
  }
  void take(word item) override {
    first_->take(item);
    ended_ = first_->ended_ || second_->ended_;
  }
  void notify_end(std::size_t channel) override {
    first_->notify_end(channel);
    second_->notify_end(channel);
  }
  void end() override {
    first_->end();
    second_->end();
  }

  std::unique_ptr<word_node> first_;
  std::unique_ptr<word_node> second_;
};

/// Position of a node in a farm, and its numbers of ports.
struct word_place {
  std::string path;
  std::size_t ins = 1;
  std::size_t outs = 1;
  std::size_t index = 0;
  std::size_t width = 1;
};

/// Adds a word node to the graph; `net.instance(id)` returns it.
inline node_id add_word_node(graph& g, word_place at, std::unique_ptr<word_node> node) {
  node_description description;
  description.path = std::move(at.path);
  description.kind = "word";
  description.index = at.index;
  description.width = at.width;
  description.in.assign(at.ins, {&item_type_of<word>(), {}});
  description.out.assign(at.outs, {&item_type_of<word>(), {}});
  auto held = std::make_shared<std::unique_ptr<word_node>>(std::move(node));
  description.make = [held] { return std::move(*held); };
  return g.add(std::move(description));
}

inline node_id add_word_node(graph& g, word_place at, word_function::body svc) {
  return add_word_node(g, std::move(at), std::make_unique<word_function>(std::move(svc)));
}

}  // namespace weir::testing
