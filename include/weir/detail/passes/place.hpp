// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <cstddef>
#include <vector>

namespace weir::detail {

/// Returns up to `count` processors that this process may use, by the operating system's number.
/// Each is on a core of its own while there are unused cores, and neighbours are close to each
/// other (hwloc). Returns fewer if there are fewer.
std::vector<int> choose_processors(std::size_t count);

/// Assigns a processor of its own to each node. Nodes with neighbouring numbers, as those of a
/// pipeline have, get processors close to each other.
/// Leaves the graph unchanged if there are more nodes than processors, because the operating system
/// then places threads better.
void place(graph& g);

}  // namespace weir::detail
