// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a network and the options of a run to a plan, and from nothing else: no thread runs, and no
// channel exists yet. `execution` makes channels and activations as the plan says.

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/passes/cut.hpp"
#include "weir/detail/passes/plan_loops.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/options.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace weir::detail {

/// A network as it will run. Plain data; valid while the graph that it was made of does not change.
struct run_plan {
  struct planned_channel {
    slot_layout slots;
    std::size_t capacity;
    bool internal;                ///< see `basic_channel::internal`
    channel::index waiting_most;  ///< see `basic_channel::waiting_most`
  };

  /// In a cluster: the graph of all groups.
  std::optional<graph> whole;
  /// The graph after the passes, if they changed anything.
  std::optional<graph> changed;
  /// Nodes that one activation runs, in the order of the items.
  std::vector<std::vector<node_id>> chains;
  std::vector<planned_channel> channels;
  std::vector<loop_plan> loops;
};

/// Checks `g` and applies the passes that the options ask for. `g` changes only where they ask for
/// nodes on processors of their own: it then says on which.
/// @param make_end makes what runs at the end of a cut channel, when a run begins
/// @throws graph_error if the graph can't work
run_plan compile(graph& g, const run_options& options,
                 const std::function<std::unique_ptr<behaviour>(const remote_end&)>& make_end);

}  // namespace weir::detail
