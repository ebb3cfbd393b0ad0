// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns a block into a node of the untyped builder, for authors who build a `graph` by hand and
// write its nodes as blocks.

#include "weir/blocks/block.hpp"
#include "weir/export.hpp"
#include "weir/graph/graph.hpp"

namespace weir {
namespace detail {

WEIR_API node_description describe(const shape_pointer& block);

}  // namespace detail

/// Returns the description of a block that is one node, for `graph::add`: its item types, kind,
/// traits, and the function that makes the node. A node with a name has the path "/name". A node
/// without a name gets its path from `graph::add`. The capacity is not part of the description:
/// pass it to `graph::connect`.
/// @throws graph_error if the block is more than one node
template <class In, class Out>
node_description describe(const block<In, Out>& node) {
  return detail::describe(node.shape());
}

}  // namespace weir
