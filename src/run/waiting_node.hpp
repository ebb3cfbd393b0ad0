// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/group_run.hpp"

#include <string>
#include <vector>

namespace weir::detail {

/// A cycle of nodes each of which waits for the next.
struct waiting_cycle {
  std::string path;  ///< path of one of the nodes
  std::string text;  ///< explanation for the user
};

/// Finds a cycle by following each node to the node that it waits for.
/// @param all not empty; a node that is waited for and is not in it ends the search
waiting_cycle cycle_of(const std::vector<waiting_node>& all);

}  // namespace weir::detail
