// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"
#include "weir/graph/groups.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Whether `pattern` means the node at `path`, or a block that it is in.
/// @throws graph_error if it is no pattern
bool selects(std::string_view pattern, std::string_view path);

/// Puts the nodes that are selected into their groups; the others stay where their program put
/// them.
/// @return what is wrong, in order: two groups select a node, or a pattern selects none, or is none
std::vector<graph_error> select_groups(graph& g, const std::vector<group_selection>& groups);

/// Patterns that select the nodes of this group and no others: `split` for a whole farm,
/// `split[0-2]` for some of its workers.
std::vector<std::string> selection_of(const graph& g, const std::string& group);

/// @return what is wrong, in order: a node is in none of these groups, or a group has none
std::vector<graph_error> check_groups(const graph& g, const std::vector<group_selection>& groups);

}  // namespace weir
