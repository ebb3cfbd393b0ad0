// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/group_run.hpp"

#include <string>
#include <vector>

namespace weir {

/// Nodes that wait for each other, in a circle.
struct waiting_cycle {
  std::string path;  ///< of one of them
  std::string text;  ///< for whoever has to end it
};

/// Goes from one node to the one that it waits for until it comes back.
/// @param all not empty; a node that is waited for and is not among them ends the way
waiting_cycle cycle_of(const std::vector<waiting_node>& all);

}  // namespace weir
