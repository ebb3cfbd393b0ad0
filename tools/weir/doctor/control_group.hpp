// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// Limits that control groups set for this process: the least of its own group and of all around it
/// that are visible here. Versions 1 and 2 of control groups are read.
struct control_group_limits {
  std::optional<double> cores;   ///< time of processors: 1.5 is that of one and a half
  std::optional<double> memory;  ///< bytes
};

control_group_limits own_limits();
