// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/ports/loop.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/report.hpp"

#include "run/activation.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace weir::detail {

/// The parts of an execution, for those who look at it while it runs. They belong to the execution.
struct run_parts {
  const graph& what;
  const std::vector<std::vector<node_id>>& chains;
  const std::vector<std::unique_ptr<activation>>& activations;  ///< one per chain
  const std::vector<running_node*>& nodes;                      ///< by node number
  const std::vector<std::unique_ptr<channel>>& channels;
  const std::vector<std::unique_ptr<loop>>& loops;
  const graph& whole;                         ///< a part of which `what` may be: that of a group
  std::function<bool(node_id)> is_elsewhere;  ///< whether the node stands for nodes in another group
};

/// The counters of nodes and channels at this moment; times of the run are left to the caller. Any
/// thread, while the execution has its activations.
/// @param ended whether all nodes have ended, so that nothing waits in a channel
report report_of(const run_parts& run, bool ended);

}  // namespace weir::detail
