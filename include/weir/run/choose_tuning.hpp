// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"
#include "weir/passes/tuning.hpp"
#include "weir/run/report.hpp"

#include <cstddef>

namespace weir {

/// Chooses a tuning from what a run was like.
///
/// - **Widths**: of farms whose authors leave a choice, as many workers as their work needs if it
///   is to take no longer than the longest of the rest, or than all the work shared out evenly over
///   the cores.
/// - **Fused** are light neighbours, in pieces of their chain none of which has more work than
///   that: so that the pieces, one a core, take as long as each other. Equal workers are fused
///   alike.
/// - **Capacities** are doubled where a producer waits for room and its consumer for input by
///   turns, and cores are idle meanwhile. (Batches adapt by themselves while a network runs, so
///   there is nothing to choose of them.)
///
/// Nodes of farms whose width changes are not fused yet: choose again from a run with those widths.
/// @param g what ran; @param r how; @param cores that the next run will have, at least 1
/// @return the choices that differ from what `g` is; none of them if nothing is worth a change
tuning choose_tuning(const graph& g, const report& r, std::size_t cores);

}  // namespace weir
