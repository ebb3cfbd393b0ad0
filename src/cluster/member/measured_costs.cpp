// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/measured_costs.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weir::cluster {
namespace {

using ends = std::pair<std::string, std::string>;  // of a channel: paths of nodes, or of blocks

ends blocks_of(const ends& of) { return {path_without_numbers(of.first), path_without_numbers(of.second)}; }

}  // namespace

detail::graph_costs measured_costs(const graph& g, const report& ran) {
  struct measured {
    double all = 0;
    double nodes = 0;  // number of them
  };
  std::map<std::string, double> busy;
  std::map<std::string, measured> blocks;
  for (const node_report& each : ran.nodes) {
    const auto time = static_cast<double>(each.busy.count());
    busy[each.path] = time;
    measured& block = blocks[path_without_numbers(each.path)];
    block.all += time;
    ++block.nodes;
  }
  std::map<ends, double> items;
  std::map<ends, double> items_of_blocks;
  for (const channel_report& each : ran.channels) {
    const auto count = static_cast<double>(each.items);
    items[{each.from, each.to}] += count;
    items_of_blocks[blocks_of({each.from, each.to})] += count;
  }

  std::map<std::string, double> width;
  for (const node_description& each : g.nodes()) ++width[path_without_numbers(each.path)];
  const auto is_as_wide = [&](const std::string& block) { return blocks[block].nodes == width[block]; };
  const auto ends_of = [&g](const channel_description& c) {
    return ends(g.nodes()[c.from].path, g.nodes()[c.to].path);
  };
  std::map<ends, double> channels;
  for (const channel_description& each : g.channels()) ++channels[blocks_of(ends_of(each))];

  detail::graph_costs made{std::vector<double>(g.nodes().size()), std::vector<double>(g.channels().size())};
  for (node_id id = 0; id != g.nodes().size(); ++id) {
    const std::string& path = g.nodes()[id].path;
    const std::string block = path_without_numbers(path);
    made.nodes[id] = is_as_wide(block) ? busy[path] : blocks[block].all / width[block];
  }
  for (channel_id id = 0; id != g.channels().size(); ++id) {
    const ends between = ends_of(g.channels()[id]);
    const ends of_blocks = blocks_of(between);
    const bool is_measured = is_as_wide(of_blocks.first) && is_as_wide(of_blocks.second);
    const double count =
        is_measured ? std::exchange(items[between], 0) : items_of_blocks[of_blocks] / channels[of_blocks];
    made.channels[id] = count * static_cast<double>(g.channels()[id].type->size);
  }
  return made;
}

}  // namespace weir::cluster
