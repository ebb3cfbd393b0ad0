// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"
#include "weir/run/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace weir::cluster {

/// Reads what `to_json(report)` wrote. @throws protocol_error if it is something else
report report_from_json(const nlohmann::json& written);
report report_from_json(const std::string& text);

/// One report of a whole network, out of those of its groups: its nodes and channels in its own order, without the ends of
/// cuts. Of a cut channel the sender's counters. Wall time: the longest; CPU time and workers: all of them.
report merge_reports(const graph& whole, const std::vector<report>& parts);

}  // namespace weir::cluster
