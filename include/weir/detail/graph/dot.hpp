// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/graph/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::detail {

/// The contents of a picture of a graph, as plain data. It is made from a graph, or from a
/// description that a program wrote.
struct drawing {
  struct node {
    std::string path;
    std::string kind;
    std::string group;             ///< nodes of one group share a frame; empty if none
    std::size_t width = 1;         ///< width of its farm; if above 1, `[i]` in the path tells its members apart
    std::optional<double> busy{};  ///< share of the run in which the node was running, 0 to 1; empty without a report
    std::string note{};            ///< more lines for the tooltip
    std::optional<double> waiting_input{};  ///< share of the run, as `busy`
    std::optional<double> waiting_room{};   ///< share of the run, as `busy`
    bool bottleneck = false;                ///< whether the node limits the run
  };
  struct channel {
    std::size_t from;  ///< index into `nodes`
    std::uint32_t from_port;
    std::size_t to;  ///< index into `nodes`
    std::uint32_t to_port;
    std::string type;
    std::string policy{};  ///< how the out-port distributes its items; empty if there is only one channel
    bool unbounded = false;
    std::optional<double> fill{};  ///< mean share of its capacity that was occupied, 0 to 1; empty without a report
    std::string note{};            ///< more lines for the tooltip
    std::string loop{};            ///< path of the loop that it closes; empty if none
    std::optional<std::uint64_t> items{};  ///< number of items sent into the channel; empty without a report
  };

  std::vector<node> nodes;
  std::vector<channel> channels;
  std::string caption{};   ///< below the picture
  std::string verdict{};   ///< also below the picture: the node that limits the run
  double seconds = 0;      ///< duration of the run; if set, channels that have `items` have a rate
  bool downwards = false;  ///< whether it is drawn from top to bottom, for a narrow page
};

/// Makes a drawing from the output of `to_json(graph)`. @throws std::invalid_argument for other
/// text
WEIR_API drawing drawing_of_json(std::string_view text);

/// Returns the drawing as a graph in Graphviz's DOT language, from left to right.
///
/// The members of a farm share a box. More than 16 members are drawn as one node `name[*]`,
/// coloured as the busiest of them. If several channels of one item type and policy join the same
/// producers with the same consumers, they share one label. Channels that close a loop run back
/// beside its nodes. With `busy` or `fill` there is a legend: nodes go from white to red, channels
/// from thin and grey to thick and red. With `items` each arrow shows the number of items that
/// passed, and the number per second.
WEIR_API std::string to_dot(const drawing& d);

/// Same as above, but without counters, which a graph does not have.
std::string to_dot(const graph& g);

}  // namespace weir::detail
