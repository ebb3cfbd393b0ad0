// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"
#include "weir/cluster/coordinator.hpp"

#include "cluster/coordinator/roster.hpp"
#include "cluster/protocol/messages.hpp"

#include <optional>

namespace weir::cluster {

/// Compares the builds of the groups that have introduced themselves. Returns the failure if one
/// runs another build than the first of them.
std::optional<cluster_failure> difference_of_builds(const roster& groups);

/// Describes all groups to each of them, once all have introduced themselves. Whether runs are
/// watched and traced is left to the caller.
to_group::welcome introduce(const roster& groups, const cluster_configuration& configuration);

}  // namespace weir::cluster
