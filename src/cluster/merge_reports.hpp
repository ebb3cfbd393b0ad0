// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include "cluster/report_parts.hpp"

#include <vector>

namespace weir::cluster {

/// One report of a whole network, out of those of its groups: its nodes and channels in its own
/// order. Wall time: the longest; CPU time and workers: all of them. Numbers that are not those of
/// a node or channel of the whole are ignored.
report merge_reports(const graph& whole, const std::vector<numbered_report>& parts);

}  // namespace weir::cluster
