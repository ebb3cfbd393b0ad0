// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/farm_widths.hpp"
#include "weir/export.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

class graph;
struct node_description;

/// Choices that change the speed of a network, but not its results. They are made from a profile
/// (`choose_tuning`) or by hand, can be stored as JSON, and are applied to later runs
/// (`run_options::tuned`, or WEIR_TUNING). A value type.
struct tuning {
  /// Capacity of the channels from one node to another. A path without a number stands for all
  /// workers of a farm.
  struct capacity {
    std::string from;
    std::string to;
    std::size_t items;
    friend bool operator==(const capacity&, const capacity&) = default;
  };

  /// Fingerprint of the network for which the choices were made, as its program wrote it. Empty:
  /// they apply to any network.
  std::string network{};
  detail::farm_widths widths{};                   ///< widths of farms, by path
  std::vector<std::vector<std::string>> fused{};  ///< chains of nodes that run as one, by path (see fuse_neighbours)
  std::vector<capacity> capacities{};

  bool empty() const noexcept { return widths.empty() && fused.empty() && capacities.empty(); }
  friend bool operator==(const tuning&, const tuning&) = default;
};

/// Returns the graph with the capacities and the fused chains of `how`. The widths have no effect
/// here: they apply when a graph is built.
/// @throws graph_error if a path is not one of the graph, or nodes can't be fused
WEIR_API graph tuned(const graph& g, const tuning& how);

/// Writes a tuning as JSON, which `tuning_from_json` reads. `indent` as in nlohmann-json.
WEIR_API std::string to_json(const tuning& how, int indent = 2);

/// Reads a tuning from JSON.
/// @param name the origin of the text, for messages
/// @throws graph_error if the text is not in the format of `to_json`
WEIR_API tuning tuning_from_json(std::string_view text, const std::string& name);

/// Returns the changes that `how` makes to `g`, as a diff for people: a line with `-` for each old
/// value, a line with `+` for the new one. Empty if nothing changes.
/// @throws graph_error if a width belongs to no farm. Other paths are not checked
WEIR_API std::string difference(const graph& g, const tuning& how);

/// Returns the path of the farm of which a node is a worker, `/split` for `/split[2]`; the node's
/// own path if it is not a worker.
WEIR_API std::string farm_of(const node_description& node);

}  // namespace weir
