// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <functional>
#include <vector>

namespace weir::detail {

/// Decides whether two neighbours, of which the first sends to the second, run as one node.
using neighbour_choice = std::function<bool(const node_description& from, const node_description& to)>;

/// Fuses neighbours. Nodes each of which sends only to the next become a chain. A chain runs as one
/// node on one thread, its nodes alternately, so that the items between them stay in the core's
/// nearest cache. Every node keeps its path, state, errors and counters. Two neighbouring blocks of
/// equal width, where each node of the first sends to any node of the second that has room, are
/// first joined worker to worker, if all these pairs are chosen. (F2 §3.2, the concurrency-graph
/// transformer.)
///
/// Typed nodes with one input and one output stream are fused, and at the ends of a chain sources
/// with `next` and sinks. Not fused are nodes with a thread of their own, `blocking` nodes, nodes
/// marked `separate`, and nodes of different groups. Nodes keep their numbers, channels do not.
///
/// Since the nodes of a chain alternate, a fused node waits forever if its `process` waits for an
/// action of another node of the chain, or if it sends while it holds a lock that a later node of
/// the chain takes. Such nodes must be marked `separate`.
/// @param choose selects among the pairs that can be fused; empty: all
graph fuse_neighbours(const graph& g, const neighbour_choice& choose = {});

/// Returns the chains of nodes that run as one, in their order; each other node is a chain by
/// itself.
/// @throws graph_error if nodes with the same chain number don't each lead only to the next
std::vector<std::vector<node_id>> chains_of(const graph& g);

}  // namespace weir::detail
