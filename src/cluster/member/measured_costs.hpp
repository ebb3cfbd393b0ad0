// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/passes/plan.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/report.hpp"

namespace weir::cluster {

/// Returns costs measured by a run: the time that each node was busy, and the bytes that went
/// through each channel. The run may have had farms of other widths than the graph: then all nodes
/// whose paths differ in numbers only have equal shares of their time, and all channels between
/// such nodes equal shares of their items. A node of which the report knows nothing costs nothing.
detail::graph_costs measured_costs(const graph& g, const report& ran);

}  // namespace weir::cluster
