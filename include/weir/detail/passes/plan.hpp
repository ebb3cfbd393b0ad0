// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"
#include "weir/graph/groups.hpp"

#include <string>
#include <vector>

namespace weir::detail {

/// Costs of a network, in any unit: only shares of the sum count.
struct graph_costs {
  std::vector<double> nodes;     ///< work, by node
  std::vector<double> channels;  ///< bytes that pass, by channel
};

/// Estimates the costs from the graph alone. Every source sends the same number of items, a node
/// sends as many as it takes, and each item is the same work. If items have several ways to go,
/// each way gets an equal share. An item has the size of its type.
graph_costs estimated_costs(const graph& g);

/// A distribution of a graph over groups.
struct group_plan {
  std::vector<std::string> group_of;  ///< by node
  std::vector<double> work;           ///< by group: its share of all work, 0 to 1
  double cut = 0;                     ///< share of all bytes that cross from one group to another, 0 to 1
};

/// Divides `g` into `groups`, so that the work of each is in proportion to its cores, and few bytes
/// cross between groups. Of all plans that it tries, it returns the one with the smallest sum of
/// two terms: the busiest group's work per core (1: all have the same), and the share of bytes that
/// cross. A node whose `traits.group` is one of the groups stays there. Farms with `traits.spread`
/// have nodes in each group, in proportion to its cores. Nodes are never separated if the items
/// between them have no codec. The same graph and costs always give the same plan. Time: for n
/// nodes and k groups about n (n + k) steps, times a few hundred (Kernighan and Lin 1970; Fiduccia
/// and Mattheyses 1982).
/// @throws graph_error if there are more groups than can be filled
group_plan plan_groups(const graph& g, const graph_costs& costs, const std::vector<planned_group>& groups);

/// Puts every node into its group: the group that selects it, else the group in which its program
/// put it, else, unless `planned` is empty, the group that `plan_groups` chooses.
/// @return the problems, in order (see select_groups, check_groups)
/// @throws graph_error as plan_groups
std::vector<graph_error> settle_groups(graph& g, const std::vector<group_selection>& selections,
                                       const std::vector<planned_group>& planned, const graph_costs& costs);

}  // namespace weir::detail
