// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <functional>
#include <vector>

namespace weir {

/// Says of two neighbours, of which the first sends to the second, whether they shall run as one.
using neighbour_choice = std::function<bool(const node_description& from, const node_description& to)>;

/// Fuses neighbours: nodes of which each sends to the next alone become a chain, which runs as one
/// node on one thread, its nodes by turns, with what lies between them in the core's nearest cache.
/// Every node stays itself: its path, its state, its errors and its counters. Two blocks of equal
/// width, side by side, each of whose nodes sends to whoever of the next block has room, are joined
/// worker to worker first, where all these pairs are chosen. (F2 §3.2, the concurrency-graph
/// transformer.)
///
/// Fused are typed nodes with one stream in and one out, and at the ends sources with `next` and
/// sinks; not those with a thread of their own, `blocking` ones, those that are to stay `separate`,
/// or nodes of different groups. Nodes keep their numbers, channels do not.
///
/// Since they take turns, a fused node that waits in `process` for what another one of its chain
/// will do, or that sends while it holds a lock which one behind it takes, waits for ever: such
/// nodes are to be `separate`.
/// @param choose of those that can be fused; empty: all
graph fuse_neighbours(const graph& g, const neighbour_choice& choose = {});

/// The nodes that run as one, in their order; each of the others by itself.
/// @throws graph_error if nodes with the same chain number don't lead each to the next alone
std::vector<std::vector<node_id>> chains_of(const graph& g);

}  // namespace weir
