// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/live_sample.hpp"
#include "top/node_stacks.hpp"
#include "top/run_view.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

// A sample as text for other programs.

/// Returns a document: the counters of each run since it began, and the rates and shares of its
/// views. Nodes have a `stack` if stacks are given.
nlohmann::ordered_json document_of(const live_sample& sample, const std::vector<run_view>& views,
                                   const std::optional<std::vector<node_stack>>& stacks);

/// Returns the text of that document.
std::string to_json(const live_sample& sample, const std::vector<run_view>& views,
                    const std::optional<std::vector<node_stack>>& stacks);

/// Returns OpenMetrics text (version 1.0.0 of the specification): counters and gauges of each run,
/// with `# EOF` at the end. The views say which nodes are bottlenecks.
std::string to_open_metrics(const live_sample& sample, const std::vector<run_view>& views);
