// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/dot.hpp"

#include <nlohmann/json.hpp>

#include <string>

/// Reads what `weir::to_json(report)` wrote. @throws std::runtime_error that names the file
nlohmann::json read_report(const std::string& file);

/// Adds the counters of a report. @throws std::runtime_error if it is a report of another graph
void add_report(weir::drawing& d, const nlohmann::json& report, const std::string& file);
