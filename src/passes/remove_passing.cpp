// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/passes/remove_passing.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace weir {
namespace {

bool is_simple(const graph& g, channel_id id, const node_description& passing) {
  const channel_description& c = g.channels()[id];
  const auto same_group = [&](node_id other) { return g.nodes()[other].traits.group == passing.traits.group; };
  return c.tag_words == 0 && c.loop == no_loop && !c.unbounded && same_group(c.from) && same_group(c.to);
}

bool can_go(const graph& g, const node_description& node) {
  if (!node.passes_on || node.traits.separate || node.in.size() != 1 || node.out.size() != 1) return false;
  const std::vector<channel_id>& in = node.in.front().channels;
  const std::vector<channel_id> out = leaves_of(node.out.front().policy);
  const auto simple = [&](channel_id id) { return is_simple(g, id, node); };
  const auto leads_back = [&](channel_id id) { return &g.nodes()[g.channels()[id].to] == &node; };
  return !in.empty() && !out.empty() && std::all_of(in.begin(), in.end(), simple) &&
         std::all_of(out.begin(), out.end(), simple) && std::none_of(out.begin(), out.end(), leads_back);
}

// Copies a graph without one node.
class removal {
 public:
  removal(const graph& g, node_id gone) : g_(g), gone_(gone) {
    for (node_id id = 0; id != g.nodes().size(); ++id) {
      if (id == gone) continue;
      node_description copy = g.nodes()[id];
      for (auto& port : copy.in) port.channels.clear();
      made_.add(std::move(copy));
    }
    for (loop_description around : g.loops()) {
      std::erase(around.members, gone);
      for (node_id& member : around.members) member = renumbered(member);
      made_.add_loop(std::move(around));
    }
  }

  // Adds channels in the order of their producers, so that a consumer's channels keep their order.
  graph done() {
    for (node_id id = 0; id != g_.nodes().size(); ++id) {
      if (id == gone_) continue;
      for (std::uint32_t port = 0; port != g_.nodes()[id].out.size(); ++port) {
        policy_tree tree = led_on(g_.nodes()[id].out[port].policy, id, port);
        // The producer keeps one consumer, as before.
        const policy_tree& before = g_.nodes()[id].out[port].policy;
        if (before.is_leaf() && g_.channels()[before.leaf].to == gone_ && !tree.is_leaf()) {
          policy_tree only;
          only.children.push_back(std::move(tree));
          tree = std::move(only);
        }
        made_.nodes()[renumbered(id)].out[port].policy = std::move(tree);
      }
    }
    return std::move(made_);
  }

 private:
  node_id renumbered(node_id id) const noexcept { return id > gone_ ? id - 1 : id; }

  policy_tree led_on(const policy_tree& tree, node_id from, std::uint32_t port) {
    if (!tree.is_leaf()) {
      policy_tree made = tree;
      for (policy_tree& child : made.children) child = led_on(child, from, port);
      return made;
    }
    channel_description c = g_.channels()[tree.leaf];
    if (c.to == gone_) return led_on(g_.nodes()[gone_].out.front().policy, from, port);
    c.from = renumbered(from);
    c.from_port = port;
    c.to = renumbered(c.to);
    policy_tree made;
    made.leaf = made_.add_channel(c);
    return made;
  }

  const graph& g_;
  const node_id gone_;
  graph made_;
};

}  // namespace

graph remove_passing(const graph& g) {
  graph made = g;
  for (;;) {
    const std::vector<node_description>& nodes = std::as_const(made).nodes();
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const node_description& node) { return can_go(made, node); });
    if (found == nodes.end()) return made;
    made = removal(made, static_cast<node_id>(found - nodes.begin())).done();
  }
}

}  // namespace weir
