// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

namespace weir::detail {

/// Refuses a graph that can't work: an open port, a policy that the item type does not support, or
/// a cycle that could deadlock because none of its channels is unbounded.
/// @throws graph_error with the node's path and the remedy
void check(const graph& g);

}  // namespace weir::detail
