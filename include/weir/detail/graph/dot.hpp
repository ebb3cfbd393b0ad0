// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// What a picture of a graph shows, as plain data: it may come from a graph, or from what a program
/// wrote about one.
struct drawing {
  struct node {
    std::string path;
    std::string kind;
    std::string group;             ///< nodes of one group share a frame; empty if none
    std::size_t width = 1;         ///< of its farm; with more than one, `[i]` in the path tells its members apart
    std::optional<double> busy{};  ///< share of the run that it was running, 0 to 1; empty without a report
    std::string note{};            ///< more lines for the tooltip
    std::optional<double> waiting_input{};  ///< share of the run, likewise
    std::optional<double> waiting_room{};   ///< likewise
    bool bottleneck = false;                ///< it limits the run
  };
  struct channel {
    std::size_t from;  ///< index into `nodes`
    std::uint32_t from_port;
    std::size_t to;  ///< likewise
    std::uint32_t to_port;
    std::string type;
    std::string policy{};  ///< how the out-port shares its items out; empty if there is only one channel
    bool unbounded = false;
    std::optional<double> fill{};  ///< mean share of its capacity that was occupied, 0 to 1; empty without a report
    std::string note{};            ///< more lines for the tooltip
    std::string loop{};            ///< path of the loop that it closes; empty if none
    std::optional<std::uint64_t> items{};  ///< that were sent into it; empty without a report
  };

  std::vector<node> nodes;
  std::vector<channel> channels;
  std::string caption{};   ///< below the picture
  std::string verdict{};   ///< likewise: what limits the run
  double seconds = 0;      ///< that the run took; with them, channels that have `items` have a rate
  bool downwards = false;  ///< from top to bottom, for a narrow page
};

/// From what `to_json(graph)` wrote. @throws std::invalid_argument if it is something else
drawing drawing_of_json(std::string_view text);

/// The drawing as a graph in Graphviz's DOT language, left to right.
///
/// The members of a farm share a box; more than 16 of them are drawn as one node `name[*]`,
/// coloured as the busiest. Where several channels of one item type and policy join the same
/// producers with the same consumers, they meet in one label. Channels that close a loop run back
/// beside its nodes. With `busy` or `fill` there is a legend: nodes go from white to red, channels
/// from thin and grey to thick and red. With `items` each arrow says how many passed, and how many
/// a second.
std::string to_dot(const drawing& d);

/// Without counters, which a graph does not have.
std::string to_dot(const graph& g);

}  // namespace weir
