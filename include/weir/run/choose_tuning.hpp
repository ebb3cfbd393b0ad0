// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/graph/graph.hpp"
#include "weir/passes/tuning.hpp"
#include "weir/run/report.hpp"

#include <cstddef>

namespace weir {

/// Chooses a tuning from the profile of a run.
///
/// - **Widths**: each farm whose author leaves the width open gets as many workers as its work
///   needs, so that it takes no longer than the longest of the other nodes, or than all the work
///   divided evenly among the cores.
/// - **Fused** are light neighbours. The pieces into which their chain is fused each have no more
///   work than that limit, so that the pieces, one on each core, take equally long. Equal workers
///   are fused alike.
/// - **Capacities** are doubled if a producer waits for room and its consumer for input alternately
///   while cores are idle. (Batch sizes adapt by themselves while a network runs, so a tuning has
///   no choice of them.)
///
/// Nodes of farms whose width changes are not fused yet: call it again with a run that had those
/// widths.
/// @param g the graph that ran
/// @param r the report of its run
/// @param cores number of cores that the next run will have, at least 1
/// @return the choices that differ from the present state of `g`; empty if no change is worthwhile
WEIR_API tuning choose_tuning(const graph& g, const report& r, std::size_t cores);

}  // namespace weir
