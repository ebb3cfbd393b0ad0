// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

namespace weir::detail {

/// Assigns a processor of its own to each node. Nodes with neighbouring numbers, as those of a
/// pipeline have, get processors close to each other.
/// Leaves the graph unchanged if there are more nodes than processors, because the operating system
/// then places threads better.
void place(graph& g);

}  // namespace weir::detail
