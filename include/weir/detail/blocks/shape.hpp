// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/detail/graph/farm_widths.hpp"
#include "weir/graph/graph.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

/// The description of a block: a tree that `build_graph` turns into nodes and channels. Immutable
/// once shared.
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
  std::vector<shape_pointer> children;

  // A node:
  std::vector<const item_type*> in;
  std::vector<const item_type*> out;
  std::function<std::unique_ptr<behaviour>()> make;
  /// In place of `make` where it must send in the order in which it takes; empty: it always does.
  std::function<std::unique_ptr<behaviour>()> make_in_order;
  bool reusable = true;      ///< whether `make` may be called more than once
  bool one_for_one = false;  ///< known to send exactly one item for each that it takes
  bool passes_on = false;    ///< known to send on what it takes, and to do nothing else
  bool plain = false;        ///< known to take whatever there is, and to wait for nothing but input and room
  node_traits traits;

  // A farm:
  std::size_t width = 1;  ///< 0: one a core
  std::size_t width_least =
      0;  ///< that it may be tuned to; 0: only its width, or where it has none, from 1 to the cores
  std::size_t width_most = 0;

  std::size_t capacity = 0;  ///< of the channels into it, in items; 0: what those inside say, else from the item's size

  // A farm or a set: how its producers share items out.
  std::optional<policy> input;
  bool one_to_one = false;
  std::function<std::string(std::size_t)> group_of;  ///< the group of each child, if that is set

  // A set: whether each child has streams of its own, instead of sharing them with the others.
  bool own_streams_in = false;
  bool own_streams_out = false;

  // A loop:
  std::size_t byte_limit = 0;

  bool ordered = false;       ///< farms and sets in it keep the order of their inputs
  std::size_t in_flight = 0;  ///< how many items may be inside it at a time; 0: no limit

  /// For errors found before the block has a path.
  const std::string& label() const noexcept { return name.empty() ? kind : name; }
};

struct shared_shape {
  shape value;
  std::atomic<std::size_t> references{1};
};

shape_pointer share(shape made);

/// A changed copy.
template <class Change>
shape_pointer with(const shape_pointer& original, Change&& change) {
  shape changed = *original;
  change(changed);
  return share(std::move(changed));
}

/// @param cores what a width of 0 stands for, or network_state::symbolic
/// @param widths of farms, instead of those in their shapes. @throws graph_error
graph build_graph(const shape_pointer& whole, std::size_t cores, const farm_widths& widths = {});

template <class... Items>
std::vector<const item_type*> item_types_of(type_list<Items...>) {
  return {&item_type_of<Items>()...};
}

/// A block that is one node of the engine's or of a front end's own kind.
template <class In, class Out>
block<In, Out> behaviour_block(const char* kind, std::function<std::unique_ptr<behaviour>()> make, bool reusable,
                               bool one_for_one = false) {
  shape made;
  made.kind = kind;
  made.in = item_types_of(streams_in_t<In>{});
  made.out = item_types_of(streams_in_t<Out>{});
  made.make = std::move(make);
  made.reusable = reusable;
  made.one_for_one = one_for_one;
  return block<In, Out>(share(std::move(made)));
}

}  // namespace weir::detail
