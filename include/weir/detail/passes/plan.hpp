// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"
#include "weir/graph/groups.hpp"

#include <string>
#include <vector>

namespace weir {

/// What a network costs, in any units: only shares of the sum count.
struct graph_costs {
  std::vector<double> nodes;     ///< work, by node
  std::vector<double> channels;  ///< bytes that pass, by channel
};

/// As far as a graph shows it. Every source sends as many items, a node as many as it takes, each
/// item is the same work; what has several ways to go takes each of them equally often. An item has
/// the size of its type.
graph_costs estimated_costs(const graph& g);

/// How a graph is shared out.
struct group_plan {
  std::vector<std::string> group_of;  ///< by node
  std::vector<double> work;           ///< by group: its share of all work, of 1
  double cut = 0;                     ///< the share of all bytes that cross from group to group, of 1
};

/// Cuts `g` into `groups`, so that each has work as its cores are many, and little crosses from one
/// to another: the smallest sum, of all that it tries, of the busiest group's work per core (1: all
/// have the same) and of the share that crosses. A node whose `traits.group` is one of the groups
/// stays there; farms with `traits.spread` have nodes in each group, as it has cores. Nodes are
/// never parted where items have no codec. The same graph and costs always give the same plan.
/// Time: for n nodes and k groups some n (n + k) steps, times a few hundred (Kernighan and Lin
/// 1970; Fiduccia and Mattheyses 1982).
/// @throws graph_error if there are more groups than can be filled
group_plan plan_groups(const graph& g, const graph_costs& costs, const std::vector<planned_group>& groups);

/// Puts every node into its group: the one that selects it, else the one its program put it in,
/// else, unless `planned` is empty, one that `plan_groups` gives it.
/// @return what is wrong, in order (see select_groups, check_groups).
/// @throws graph_error as plan_groups
std::vector<graph_error> settle_groups(graph& g, const std::vector<group_selection>& selections,
                                       const std::vector<planned_group>& planned, const graph_costs& costs);

}  // namespace weir
