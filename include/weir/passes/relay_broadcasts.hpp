// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

namespace weir {

/// The graph, whose nodes have their groups, such that what is broadcast crosses to each other group once: where a rule gives a copy
/// to several consumers in one of them, a relay in that group takes the item and gives them the copies. For consumers that are blocks, with
/// a rule of their own, if all of the block is in that group. Nodes and channels keep their numbers: a channel to such a consumer now
/// comes from the relay, and relays and the channels to them come last. `outlet::send_to` reaches single consumers as before.
///
/// Without a relay stay channels that are unbounded or close a loop, items with tags or without a codec, and what is given
/// on demand, which counts what its consumers have completed.
graph relay_broadcasts(const graph& g);

/// What a channel to a relay costs, of `costs` by channel of the graph without relays.
double relayed_cost(const graph& relayed, channel_id to_relay, const std::vector<double>& costs);

}  // namespace weir
