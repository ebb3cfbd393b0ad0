// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a block to the untyped builder. Who builds a `graph` by hand writes its nodes as blocks.

#include "weir/blocks/block.hpp"
#include "weir/graph/graph.hpp"

namespace weir {
namespace detail {

node_description describe(const shape_pointer& block);

}  // namespace detail

/// The description of a block that is one node, for `graph::add`: its item types, kind, traits, and
/// the function that makes it. A node with a name has the path "/name"; another one gets a path
/// from `graph::add`. Its capacity is not part of it: `graph::connect` takes that.
/// @throws graph_error if the block is more than one node
template <class In, class Out>
node_description describe(const block<In, Out>& node) {
  return detail::describe(node.shape());
}

}  // namespace weir
