// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace weir::cluster {

/// Reads a report that `to_json(report)` wrote. @throws protocol_error if it is invalid
report report_from_json(const nlohmann::json& written);
report report_from_json(const std::string& text);

}  // namespace weir::cluster
