// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/detail/graph/farm_widths.hpp"
#include "weir/export.hpp"
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
/// once it is shared.
struct shape {
  enum class form {
    node,      ///< one node
    pipeline,  ///< children, one after another
    farm,      ///< `width` copies of one child, side by side
    set,       ///< children side by side
    loop,      ///< a master and a worker, or one child: its last stream out comes back as its last stream in
  };

  form what = form::node;
  std::string kind;  ///< for nodes without a name: `source`, `node`, `farm`, …
  std::string name;
  std::vector<shape_pointer> children;

  // Members of a node:
  std::vector<const item_type*> in;
  std::vector<const item_type*> out;
  std::function<std::unique_ptr<behaviour>()> make;
  /// Replaces `make` if the node must send results in the order of its items. Empty if it always
  /// does so.
  std::function<std::unique_ptr<behaviour>()> make_in_order;
  bool reusable = true;      ///< whether `make` may be called more than once
  bool one_for_one = false;  ///< known to send exactly one item for each that it takes
  bool passes_on = false;    ///< known to do nothing but send on the items that it takes
  bool plain = false;        ///< known to take any available item, and to wait only for input and room
  bool has_quiet = false;    ///< acts when a loop is quiet, so it must be a head of one
  node_traits traits;

  // Members of a farm:
  std::size_t width = 1;        ///< 0: one worker for each core
  std::size_t width_least = 0;  ///< smallest width for tuning; 0: only `width` or, if that is 0, from 1 to the cores
  std::size_t width_most = 0;

  std::size_t capacity = 0;  ///< items in each channel into it; 0: as set for inner blocks, else from the size of items

  // Members of a farm or a set: the policy by which its producers distribute items.
  std::optional<policy> input;
  bool one_to_one = false;
  std::function<std::string(std::size_t)> group_of;  ///< group of each child, if it is set

  // Members of a set: whether each child has streams of its own, instead of sharing one with the
  // other children.
  bool own_streams_in = false;
  bool own_streams_out = false;

  // Members of a loop:
  std::size_t byte_limit = 0;

  bool ordered = false;       ///< inner farms and sets keep the order of their inputs
  std::size_t in_flight = 0;  ///< maximum number of items inside it at a time; 0: no limit

  /// Returns a name for messages about errors that are found before the block has a path.
  const std::string& label() const noexcept { return name.empty() ? kind : name; }
};

struct shared_shape {
  shape value;
  std::atomic<std::size_t> references{1};
};

WEIR_API shape_pointer share(shape made);

/// Returns a changed copy.
template <class Change>
shape_pointer with(const shape_pointer& original, Change&& change) {
  shape changed = *original;
  change(changed);
  return share(std::move(changed));
}

/// @param cores number of workers that a width of 0 stands for, or network_state::symbolic
/// @param widths widths of farms, which replace those in their shapes
/// @throws graph_error
WEIR_API graph build_graph(const shape_pointer& whole, std::size_t cores, const farm_widths& widths = {});

template <class... Items>
std::vector<const item_type*> item_types_of(type_list<Items...>) {
  return {&item_type_of<Items>()...};
}

/// Makes a block that is one node, of a kind that the library or a front end defines.
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
