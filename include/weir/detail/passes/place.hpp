// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <cstddef>
#include <vector>

namespace weir {

/// Up to `count` processors this process may use, by the operating system's number, each on a core
/// of its own while there are any, neighbours close to each other (hwloc). Fewer if there are
/// fewer.
std::vector<int> choose_processors(std::size_t count);

/// Gives each node a processor of its own, neighbours in the graph close to each other. Leaves the
/// graph as it is where nodes outnumber the processors: then the operating system does better.
void place(graph& g);

}  // namespace weir
