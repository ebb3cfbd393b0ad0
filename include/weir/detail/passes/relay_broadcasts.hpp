// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace weir {

/// The graph, whose nodes have their groups, such that what is broadcast crosses to each other
/// group once: where a rule gives a copy to several consumers in one of them, a relay in that group
/// takes the item and gives them the copies. For consumers that are blocks, with a rule of their
/// own, if all of the block is in that group. Nodes and channels keep their numbers: a channel to
/// such a consumer now comes from the relay, and relays and the channels to them come last.
/// `outlet::send_to` reaches single consumers as before.
///
/// Without a relay stay channels that are unbounded or close a loop, items with tags or without a
/// codec, and what is given on demand, which counts what its consumers have completed.
/// @param make_relay makes what runs at a relay, when a run begins; empty where the graph is only
/// looked at
graph relay_broadcasts(const graph& g, const std::function<std::unique_ptr<behaviour>()>& make_relay);

/// What a channel to a relay costs, of `costs` by channel of the graph without relays.
double relayed_cost(const graph& relayed, channel_id to_relay, const std::vector<double>& costs);

}  // namespace weir
