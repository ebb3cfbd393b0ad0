// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/farm_widths.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

class graph;
struct node_description;

/// Choices about a network that change how fast it is, not what it does: made from a profile
/// (`choose_tuning`), or by hand; to be written down, and applied to later runs
/// (`run_options::tuned`, or WEIR_TUNING). A value.
struct tuning {
  /// The capacity of the channels from one node to another. Paths without numbers stand for all the
  /// workers of a farm.
  struct capacity {
    std::string from;
    std::string to;
    std::size_t items;
    friend bool operator==(const capacity&, const capacity&) = default;
  };

  /// The fingerprint of the network that it is for, as it was written. Empty: of any network that
  /// it is given to.
  std::string network{};
  farm_widths widths{};                           ///< of farms, by path
  std::vector<std::vector<std::string>> fused{};  ///< chains of nodes that run as one, by path (see fuse_neighbours)
  std::vector<capacity> capacities{};

  bool empty() const noexcept { return widths.empty() && fused.empty() && capacities.empty(); }
  friend bool operator==(const tuning&, const tuning&) = default;
};

/// The graph with the capacities and the fused chains of `how`; its widths are those with which a
/// graph is built.
/// @throws graph_error if a path is not one of the graph, or nodes can't be fused
graph tuned(const graph& g, const tuning& how);

/// As JSON, to be read again. `indent` as in nlohmann-json.
std::string to_json(const tuning& how, int indent = 2);

/// @param name what it was read from, for messages.
/// @throws graph_error if it is not what `to_json` writes
tuning tuning_from_json(std::string_view text, const std::string& name);

/// What `how` changes in `g`, as the difference that a person would read: one line `-` for what
/// there was, one `+` for what there is instead. Empty if nothing changes.
/// @throws graph_error if a width is that of no farm. Other paths are not looked for
std::string difference(const graph& g, const tuning& how);

/// The farm that a node is a worker of, `/split` for `/split[2]`; the node's own path if it is
/// none.
std::string farm_of(const node_description& node);

}  // namespace weir
