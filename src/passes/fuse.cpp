// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/fuse.hpp"

#include "weir/graph/error.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace weir::detail {
namespace {

bool may_be_fused(const node_description& node) {
  return node.plain && !node.traits.separate && !node.traits.blocking && !node.traits.on_own_thread &&
         node.in.size() <= 1 && node.out.size() <= 1;
}

bool may_be_fused(const graph& g, const channel_description& c) {
  const node_description& from = g.nodes()[c.from];
  const node_description& to = g.nodes()[c.to];
  return c.from != c.to && c.loop == no_loop && !c.unbounded && may_be_fused(from) && may_be_fused(to) &&
         from.traits.group == to.traits.group;
}

// Returns the only channel out of a node, if it is also the only channel into its consumer.
std::optional<channel_id> only_channel(const graph& g, node_id from) {
  const node_description& node = g.nodes()[from];
  if (node.out.size() != 1) return std::nullopt;
  const std::vector<channel_id> leaves = leaves_of(node.out.front().policy);
  if (leaves.size() != 1) return std::nullopt;
  const node_description& to = g.nodes()[g.channels()[leaves.front()].to];
  if (to.in.size() != 1 || to.in.front().channels.size() != 1) return std::nullopt;
  return leaves.front();
}

policy_tree renamed(const policy_tree& tree, const std::vector<channel_id>& names) {
  policy_tree made = tree;
  made.children.clear();
  if (tree.is_leaf()) made.leaf = names[tree.leaf];
  for (const policy_tree& child : tree.children) {
    policy_tree kept = renamed(child, names);
    if (kept.is_leaf() || !kept.children.empty()) made.children.push_back(std::move(kept));
  }
  if (made.children.size() == 1 && tree.children.size() > 1) return made.children.front();
  return made;
}

// Returns the consumers of a node, in order, if the node sends each item to any of them that has
// room, and sends to no other node.
std::vector<node_id> balanced_consumers(const graph& g, const node_description& node) {
  if (node.out.size() != 1) return {};
  const policy_tree& tree = node.out.front().policy;
  if (tree.is_leaf() || tree.rule.kind != distribution::balance || tree.children.size() < 2) return {};
  std::vector<node_id> all;
  for (const policy_tree& child : tree.children) {
    if (!child.is_leaf() || !may_be_fused(g, g.channels()[child.leaf])) return {};
    all.push_back(g.channels()[child.leaf].to);
  }
  return all;
}

// Returns a copy without the channels in `dropped`. Nodes keep their numbers. A rule with one
// channel left is replaced by that channel.
graph without_channels(const graph& g, const std::set<channel_id>& dropped) {
  graph made;
  for (node_description node : g.nodes()) {
    for (auto& port : node.in) port.channels.clear();
    made.add(std::move(node));
  }
  for (const loop_description& around : g.loops()) made.add_loop(around);
  std::vector<channel_id> names(g.channels().size(), no_channel);
  for (channel_id id = 0; id != names.size(); ++id) {
    if (!dropped.contains(id)) names[id] = made.add_channel(g.channels()[id]);
  }
  for (node_description& node : made.nodes()) {
    for (auto& port : node.out) port.policy = renamed(port.policy, names);
  }
  return made;
}

// Joins blocks of equal width worker to worker, if `choose` accepts all pairs.
graph merge_farms(const graph& g, const neighbour_choice& choose) {
  std::map<std::vector<node_id>, std::vector<node_id>> producers_of;
  for (node_id id = 0; id != g.nodes().size(); ++id) {
    const std::vector<node_id> consumers = balanced_consumers(g, g.nodes()[id]);
    if (!consumers.empty()) producers_of[consumers].push_back(id);
  }
  std::set<channel_id> dropped;
  for (const auto& [consumers, producers] : producers_of) {
    const std::size_t width = consumers.size();
    bool fits = producers.size() == width && std::set<node_id>(consumers.begin(), consumers.end()).size() == width;
    for (std::size_t i = 0; fits && i != width; ++i) {
      const node_description& to = g.nodes()[consumers[i]];
      fits = to.in.front().channels.size() == width && to.in.front().tag_words == 0 &&
             (!choose || choose(g.nodes()[producers[i]], to));
    }
    if (!fits) continue;
    for (std::size_t i = 0; i != width; ++i) {
      for (const channel_id c : leaves_of(g.nodes()[producers[i]].out.front().policy)) {
        if (g.channels()[c].to != consumers[i]) dropped.insert(c);
      }
    }
  }
  return dropped.empty() ? g : without_channels(g, dropped);
}

}  // namespace

graph fuse_neighbours(const graph& g, const neighbour_choice& choose) {
  graph made = merge_farms(g, choose);
  const graph& now = made;
  std::vector<node_id> following(now.nodes().size(), static_cast<node_id>(now.nodes().size()));
  std::vector<bool> follows(now.nodes().size());
  for (node_id id = 0; id != now.nodes().size(); ++id) {
    const std::optional<channel_id> c = only_channel(now, id);
    if (!c || !may_be_fused(now, now.channels()[*c])) continue;
    const node_id to = now.channels()[*c].to;
    if (choose && !choose(now.nodes()[id], now.nodes()[to])) continue;
    following[id] = to;
    follows[to] = true;
  }
  for (node_id first = 0; first != following.size(); ++first) {
    if (follows[first] || following[first] == following.size()) continue;
    for (node_id id = first; id != following.size(); id = following[id]) made.nodes()[id].chain = first;
  }
  return made;
}

std::vector<std::vector<node_id>> chains_of(const graph& g) {
  std::vector<std::vector<node_id>> all;
  std::map<chain_id, std::size_t> members;
  for (const node_description& node : g.nodes()) {
    if (node.chain != no_chain) ++members[node.chain];
  }
  const auto has_predecessor = [&](const node_description& node) {
    return node.chain != no_chain && node.in.size() == 1 && node.in.front().channels.size() == 1 &&
           leads_on_in_chain(g, g.channels()[node.in.front().channels.front()]);
  };
  for (node_id id = 0; id != g.nodes().size(); ++id) {
    const node_description& first = g.nodes()[id];
    if (has_predecessor(first)) continue;
    std::vector<node_id>& chain = all.emplace_back(1, id);
    if (first.chain == no_chain) continue;
    for (auto next = only_channel(g, id); next && leads_on_in_chain(g, g.channels()[*next]);) {
      chain.push_back(g.channels()[*next].to);
      next = only_channel(g, chain.back());
    }
    if (members[first.chain] != chain.size()) {
      throw graph_error(first.path,
                        "is fused with nodes that don't follow it one by one; let fuse_neighbours choose them");
    }
  }
  std::size_t count = 0;
  for (const auto& chain : all) count += chain.size();
  if (count != g.nodes().size())
    throw graph_error("graph", "has a ring of fused nodes; let fuse_neighbours choose them");
  return all;
}

}  // namespace weir::detail
