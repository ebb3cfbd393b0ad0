// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace weir::detail {

/// Returns the number of processors whose time the control groups of this process grant: a quota of
/// 20 ms in each 100 ms is 0.2. Reads cgroups of version 1 or 2, as containers, systemd and SLURM
/// use them. The result is the least quota of all enclosing groups; nothing if none sets a limit.
/// @param root prefix of `/proc/self` and of the mount points of the groups; empty except in tests
std::optional<double> processor_quota(const std::string& root);

/// Returns the quota of this process, which is read once; 0: there is none.
double own_processor_quota() noexcept;

}  // namespace weir::detail
