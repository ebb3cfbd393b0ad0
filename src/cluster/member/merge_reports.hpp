// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include "cluster/protocol/report_parts.hpp"

#include <vector>

namespace weir::cluster {

/// Merges the reports of all groups into one report of the whole network, with its nodes and
/// channels in its own order. Wall time is the longest one; CPU time and workers are sums. Ignores
/// numbers that belong to no node or channel of the whole.
report merge_reports(const graph& whole, const std::vector<numbered_report>& parts);

}  // namespace weir::cluster
