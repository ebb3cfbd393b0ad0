// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

namespace weir {

/// The graph without the nodes that only pass items on (`weir::pass`, and what front ends put in
/// for default emitters and collectors): each producer of such a node shares out its items among
/// the node's consumers itself, as the node would have, with state of its own. So a collector
/// behind a farm is removed, and one before another farm's emitter makes the two farms an
/// all-to-all. (F2 §3.2, the concurrency-graph transformer.)
///
/// Kept are those that an author wants to stay `separate`, that lie in an ordered block or close a
/// loop, whose channels are unbounded, or of another group than a neighbour. The other nodes keep
/// their order, but not their numbers.
graph remove_passing(const graph& g);

}  // namespace weir
