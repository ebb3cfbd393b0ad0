// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"
#include "weir/graph/groups.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace weir::detail {

/// Returns whether `pattern` selects the node at `path`, or a block that contains it.
/// @throws graph_error if it is not a valid pattern
bool selects(std::string_view pattern, std::string_view path);

/// Puts the selected nodes into their groups. The other nodes stay in the groups in which their
/// program put them.
/// @return the problems, in order: two groups select a node, a pattern selects no node, or a
/// pattern is not valid
std::vector<graph_error> select_groups(graph& g, const std::vector<group_selection>& groups);

/// Returns patterns that select the nodes of this group only: `split` for a whole farm,
/// `split[0-2]` for some of its workers.
std::vector<std::string> selection_of(const graph& g, const std::string& group);

/// Checks the groups. @return the problems, in order: a node is in none of these groups, or a group
/// has no node
std::vector<graph_error> check_groups(const graph& g, const std::vector<group_selection>& groups);

}  // namespace weir::detail
