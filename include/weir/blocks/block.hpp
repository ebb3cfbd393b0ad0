// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/streams.hpp"
#include "weir/graph/error.hpp"
#include "weir/graph/network.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

namespace detail {

/// What a block describes: a tree that `build_graph` turns into nodes and channels. Immutable once shared.
struct shape {
  enum class form {
    node,      ///< one node
    pipeline,  ///< children, one after the other
    farm,      ///< one child, `width` times side by side
    set,       ///< children side by side
    loop,      ///< a master and a worker, or one child: its last stream out comes back as its last stream in
  };

  form what = form::node;
  std::string kind;  ///< for nodes without a name: `source`, `node`, `farm`, …
  std::string name;
  std::vector<std::shared_ptr<const shape>> children;

  // A node:
  std::vector<const item_type*> in;
  std::vector<const item_type*> out;
  std::function<std::unique_ptr<behaviour>()> make;
  bool reusable = true;      ///< whether `make` may be called more than once
  bool one_for_one = false;  ///< known to send exactly one item for each that it takes
  bool passes_on = false;    ///< known to send on what it takes, and to do nothing else
  bool plain = false;        ///< known to take whatever there is, and to wait for nothing but input and room
  node_traits traits;

  // A farm:
  std::size_t width = 1;  ///< 0: one a core
  std::size_t width_least =
      0;  ///< that it may be tuned to; 0: only the width it has, or where it has none, from 1 to the cores
  std::size_t width_most = 0;

  std::size_t capacity =
      0;  ///< of the channels into it, in items; 0: what those inside say, else chosen from the item's size

  // A farm or a set: how its producers share items out.
  std::optional<policy> input;
  bool one_to_one = false;
  std::function<std::string(std::size_t)> group_of;  ///< the group of each child, if that is set

  // A set: whether each child has streams of its own, instead of sharing them with the others.
  bool own_streams_in = false;
  bool own_streams_out = false;

  // A loop:
  std::size_t byte_limit = 0;

  bool ordered = false;  ///< farms and sets in it keep the order of their inputs

  /// For errors found before the block has a path.
  const std::string& label() const noexcept { return name.empty() ? kind : name; }
};

using shape_pointer = std::shared_ptr<const shape>;

shape_pointer in_sequence(const shape_pointer& first, const shape_pointer& second);

/// @param cores what a width of 0 stands for, or network::symbolic
/// @param widths of farms, instead of those in their shapes. @throws graph_error
graph build_graph(const shape_pointer& whole, std::size_t cores, const farm_widths& widths = {});

/// A changed copy.
template <class Change>
shape_pointer with(const shape_pointer& original, Change&& change) {
  auto changed = std::make_shared<shape>(*original);
  change(*changed);
  return changed;
}

/// With all of it in the group, but for what is in one already. A pipeline without a name hands that on, so that it stays a part of the one
/// around it, and names nothing.
inline shape_pointer put_in_group(const shape_pointer& what, const std::string& group) {
  return with(what, [&](shape& s) {
    if (s.what != shape::form::pipeline || !s.name.empty()) {
      s.traits.group = group;
      return;
    }
    for (shape_pointer& child : s.children) {
      if (child->traits.group.empty()) child = put_in_group(child, group);
    }
  });
}

}  // namespace detail

/// A building block that takes items of type `In` and sends items of type `Out`; `void` where it takes or sends none.
///
/// A block only describes: it is an immutable value, cheap to copy, and may be used in several networks. Constructing one
/// runs nothing but the copy of the node it is made of. `block<void, void>` is a whole program: a `network`.
template <class In, class Out>
class block {
 public:
  using in_type = In;
  using out_type = Out;

  explicit block(detail::shape_pointer shape) : shape_(std::move(shape)) {}

  /// Names it: the name is part of its nodes' paths, unique among its neighbours (a duplicate gets an ordinal).
  block named(std::string name) const {
    return block(detail::with(shape_, [&](detail::shape& s) { s.name = std::move(name); }));
  }

  /// Puts every node of it in a group of processes (see cut).
  block in_group(std::string group) const { return block(detail::put_in_group(shape_, group)); }

  /// Its nodes may block in user code: the pool gives their core away while they run, instead of noticing first.
  block blocking() const {
    return block(detail::with(shape_, [](detail::shape& s) { s.traits.blocking = true; }));
  }

  /// Its nodes have a thread each, under every executor.
  block on_own_thread() const {
    return block(detail::with(shape_, [](detail::shape& s) { s.traits.on_own_thread = true; }));
  }

  /// Its nodes are never fused with their neighbours (see `fuse_neighbours`).
  block separate() const {
    return block(detail::with(shape_, [](detail::shape& s) { s.traits.separate = true; }));
  }

  /// Each channel into it holds at most `items`, instead of about 32 KiB worth of them: for items that own much memory. What
  /// blocks inside it say of their own holds for them. @throws graph_error if `items` is 0
  block capacity(std::size_t items) const
    requires(!std::is_void_v<In>)
  {
    if (items == 0) throw graph_error(shape_->label(), "capacity(0) would hold nothing; use at least 1");
    return block(detail::with(shape_, [&](detail::shape& s) { s.capacity = items; }));
  }

  /// It sends what it makes of its items in the order in which they came in, whatever its farms and sets are made of: filters,
  /// flat maps, farms in farms. What `start` and `finish` send belongs to no item and may stand anywhere. A dear item makes those
  /// behind it wait, in channels: memory stays bounded. Blocks inside it must have one way in and one out, and broadcast
  /// nothing (else graph_error). (F1 §2, the order-preserving farm.)
  block ordered() const
    requires(!std::is_void_v<In> && !std::is_void_v<Out>)
  {
    return block(detail::with(shape_, [](detail::shape& s) { s.ordered = true; }));
  }

  const detail::shape_pointer& shape() const noexcept { return shape_; }

  /// A whole program becomes a network.
  operator network() const  // NOLINT(google-explicit-constructor): `weir::network net = a | b | c`
    requires(std::is_void_v<In> && std::is_void_v<Out>)
  {
    return network([whole = shape_](std::size_t cores, const farm_widths& widths) {
      return detail::build_graph(whole, cores, widths);
    });
  }

 private:
  detail::shape_pointer shape_;
};

/// The error a mismatch of neighbours ends in: look at the two types in its name.
template <class Sends, class Receives>
struct item_types_of_neighbours {
  static constexpr bool match = std::is_same_v<Sends, Receives> || std::is_same_v<detail::together_t<Sends>, Receives>;
  static_assert(match,
                "weir: the left block sends items of another type than the right one takes (both are named above)");
};

/// Joins two blocks: what the left one sends, the right one takes.
template <class In, class Sends, class Receives, class Out>
block<In, Out> operator|(const block<In, Sends>& left, const block<Receives, Out>& right) {
  static_assert(!std::is_void_v<Sends>, "weir: the left block sends nothing, so nothing can follow it");
  static_assert(!std::is_void_v<Receives>, "weir: the right block takes nothing, so it can't follow another");
  static_assert(item_types_of_neighbours<Sends, Receives>::match);
  return block<In, Out>(detail::in_sequence(left.shape(), right.shape()));
}

template <class T>
concept some_block = requires(const T& t) {
  typename T::in_type;
  typename T::out_type;
  []<class In, class Out>(const block<In, Out>&) {}(t);
};

}  // namespace weir
