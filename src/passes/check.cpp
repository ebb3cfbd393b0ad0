// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/check.hpp"

#include "weir/graph/error.hpp"

#include <algorithm>
#include <queue>

namespace weir::detail {
namespace {

void check_policy(const graph& g, const node_description& node, std::size_t port, const policy_tree& tree) {
  if (tree.is_leaf()) {
    if (tree.leaf >= g.channels().size())
      throw graph_error(node.path, "its policy names a channel that does not exist");
    const channel_description& c = g.channels()[tree.leaf];
    if (&g.nodes()[c.from] != &node || c.from_port != port) {
      throw graph_error(node.path, "its policy names a channel of another out-port, that of " + g.nodes()[c.from].path);
    }
    return;
  }
  if (tree.children.empty()) {
    throw graph_error(node.path, "its out-port " + std::to_string(port) + " is open; connect it to a node");
  }
  const bool chooses = tree.rule.kind == distribution::by_key || tree.rule.kind == distribution::custom;
  if (chooses && !tree.rule.choose) {
    throw graph_error(node.path, std::string(name_of(tree.rule.kind)) + " needs a function; set policy::choose");
  }
  if (tree.rule.kind == distribution::on_demand && tree.rule.depth == 0) {
    throw graph_error(node.path, "on_demand(0) would assign nothing; use at least 1");
  }
  const item_type& type = *node.out[port].type;
  if (tree.rule.kind == distribution::broadcast && tree.children.size() > 1 && type.copy == nullptr) {
    throw graph_error(node.path, "broadcasts items of type " + type.name() + ", which can't be copied");
  }
  for (const policy_tree& child : tree.children) check_policy(g, node, port, child);
}

// Marks the channels that accept any number of items: unbounded ones that are not limited by a
// rule.
std::vector<bool> unlimited_channels(const graph& g) {
  std::vector<bool> unlimited;
  for (const channel_description& c : g.channels()) unlimited.push_back(c.unbounded);
  const auto limit = [&](auto& self, const policy_tree& tree, bool limited) -> void {
    if (tree.is_leaf() && limited) unlimited[tree.leaf] = false;
    for (const policy_tree& child : tree.children) {
      self(self, child, limited || tree.rule.kind == distribution::on_demand);
    }
  };
  for (const node_description& node : g.nodes()) {
    for (const auto& port : node.out) limit(limit, port.policy, false);
  }
  return unlimited;
}

// Refuses a cycle of bounded channels, because it can fill up and deadlock. Without its unlimited
// channels, the graph must have no cycle.
void check_cycles(const graph& g) {
  const std::vector<bool> unlimited = unlimited_channels(g);
  std::vector<std::size_t> producers(g.nodes().size(), 0);
  std::vector<std::vector<node_id>> consumers(g.nodes().size());
  for (channel_id id = 0; id != g.channels().size(); ++id) {
    const channel_description& c = g.channels()[id];
    if (unlimited[id]) continue;
    ++producers[c.to];
    consumers[c.from].push_back(c.to);
  }
  std::queue<node_id> next;
  for (node_id node = 0; node != g.nodes().size(); ++node) {
    if (producers[node] == 0) next.push(node);
  }
  std::size_t sorted = 0;
  for (; !next.empty(); next.pop(), ++sorted) {
    for (const node_id consumer : consumers[next.front()]) {
      if (--producers[consumer] == 0) next.push(consumer);
    }
  }
  if (sorted == g.nodes().size()) return;
  for (node_id node = 0; node != g.nodes().size(); ++node) {
    if (producers[node] != 0) {
      throw graph_error(g.nodes()[node].path,
                        "lies on or behind a cycle of bounded channels, which can deadlock; make one channel of the "
                        "cycle unbounded");
    }
  }
}

// Refuses a `quiet` that nothing would call: only the nodes that take what comes back in a loop are
// asked.
void check_quiet(const graph& g) {
  std::vector<bool> asked(g.nodes().size(), false);
  for (const channel_description& c : g.channels()) asked[c.to] = asked[c.to] || c.loop != no_loop;
  for (node_id node = 0; node != g.nodes().size(); ++node) {
    if (!g.nodes()[node].has_quiet || asked[node]) continue;
    throw graph_error(g.nodes()[node].path,
                      "has quiet, but takes no items that come back in a loop, so that nothing calls it; use finish, "
                      "or a class without quiet");
  }
}

// Checks that a channel which closes a loop leads from a member of the loop to a member of it.
void check_loops(const graph& g) {
  for (const channel_description& c : g.channels()) {
    if (c.loop == no_loop) continue;
    if (c.loop >= g.loops().size()) throw graph_error(g.nodes()[c.from].path, "closes a loop that does not exist");
    const loop_description& around = g.loops()[c.loop];
    for (const node_id end : {c.from, c.to}) {
      if (std::find(around.members.begin(), around.members.end(), end) == around.members.end()) {
        throw graph_error(
            g.nodes()[end].path,
            "closes the loop " + around.path + " without being a member of it; add it to loop_description::members");
      }
    }
    if (!c.unbounded) {
      throw graph_error(g.nodes()[c.from].path, "closes the loop " + around.path +
                                                    " with a bounded channel, which can deadlock; make it unbounded");
    }
  }
  for (const loop_description& around : g.loops()) {
    for (const node_id member : around.members) {
      if (member >= g.nodes().size()) throw graph_error(around.path, "has a member that is no node of the graph");
    }
  }
}

}  // namespace

void check(const graph& g) {
  if (g.nodes().empty()) throw graph_error("graph", "has no nodes");
  for (const node_description& node : g.nodes()) {
    if (!node.make) throw graph_error(node.path, "has no behaviour; set node_description::make");
    for (std::size_t port = 0; port != node.in.size(); ++port) {
      if (node.in[port].channels.empty()) {
        throw graph_error(node.path, "its in-port " + std::to_string(port) + " is open; connect a node to it");
      }
    }
    for (std::size_t port = 0; port != node.out.size(); ++port) {
      check_policy(g, node, port, node.out[port].policy);
    }
  }
  std::vector<bool> routed(g.channels().size(), false);
  for (const node_description& node : g.nodes()) {
    for (const auto& port : node.out) {
      for (const channel_id id : leaves_of(port.policy)) {
        if (routed[id]) throw graph_error(node.path, "its policy names one channel twice");
        routed[id] = true;
      }
    }
  }
  for (channel_id id = 0; id != g.channels().size(); ++id) {
    if (!routed[id]) {
      throw graph_error(g.nodes()[g.channels()[id].from].path,
                        "no policy leads to its channel to " + g.nodes()[g.channels()[id].to].path);
    }
  }
  check_loops(g);
  check_quiet(g);
  check_cycles(g);
}

}  // namespace weir::detail
