// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/graph/graph.hpp"

namespace weir {

/// Returns the graph without the nodes that only pass items on: `weir::pass`, and the nodes that
/// front ends insert as default emitters and collectors. Each producer of such a node distributes
/// its items among the node's consumers itself, as the node would have, with a distribution state
/// of its own. For example, a collector behind a farm is removed; if it stood before the emitter of
/// another farm, the two farms become an all-to-all. (F2 §3.2, the concurrency-graph transformer.)
///
/// Kept are passing nodes that are marked `separate`, that lie in an ordered block or close a loop,
/// whose channels are unbounded, or that belong to another group than a neighbour. The other nodes
/// keep their order, but not their numbers.
WEIR_API graph remove_passing(const graph& g);

}  // namespace weir
