// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace weir::detail {

/// Returns the graph, whose nodes must have their groups, changed so that a broadcast item crosses
/// to each other group once. If a rule gives a copy to several consumers in one group, a relay in
/// that group takes the item and gives them the copies. This includes consumers that are blocks
/// with a rule of their own, if the whole block is in that group. Nodes and channels keep their
/// numbers: a channel to such a consumer now comes from the relay; relays and the channels to them
/// are added at the end. `outlet::send_to` reaches single consumers as before.
///
/// No relay is inserted for channels that are unbounded or close a loop, for items with tags or
/// without a codec, and for distribution on demand, which counts the items that its consumers have
/// completed.
/// @param make_relay makes the behaviour of a relay, when a run begins; empty if the graph is only
/// examined
graph relay_broadcasts(const graph& g, const std::function<std::unique_ptr<behaviour>()>& make_relay);

/// Returns the cost of a channel to a relay, from the `costs` by channel of the graph without
/// relays.
double relayed_cost(const graph& relayed, channel_id to_relay, const std::vector<double>& costs);

}  // namespace weir::detail
