// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace weir {

/// How many processors' time the control groups that this process is in (cgroups of version 1 or 2,
/// as of containers, systemd and SLURM) give it: a quota of 20 ms in each 100 ms is 0.2. The least
/// of all groups around it; nothing where none sets a limit.
/// @param root in front of `/proc/self`, and of where the groups are mounted; empty but in tests
std::optional<double> processor_quota(const std::string& root);

}  // namespace weir
