// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace weir::detail {

/// Who takes part in a loop, as `loop` needs it. Plain data.
struct loop_plan {
  struct channel_into {
    channel_id channel;
    bool enters;  ///< it is one of the channels that must be closed before the loop can end
  };
  struct member {
    node_id node;
    std::optional<std::size_t> asked;  ///< its place in `loop_plan::asked`, if it is there
  };

  std::vector<node_id> heads;  ///< the nodes that its feedback channels lead to, one for each channel
  std::vector<node_id> asked;  ///< the heads, of this loop or of loops inside it, that it asks
  std::vector<channel_into> channels;
  std::vector<member> members;
};

/// The plans of all loops of a graph, by `loop_id`. A head of several loops is asked by the one
/// with most members; of two that are equally large, by the later one.
/// @param is_part whether `cut` made the graph: then nodes that stand for another group have no
/// number in the whole, and are neither heads nor, without in-ports, members
std::vector<loop_plan> plan_loops(const graph& g, bool is_part);

}  // namespace weir::detail
