// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/relay_broadcasts.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

// Returns whether a node may call `send_to`: nodes that send without an outlet never do.
bool may_address(const node_description& node) {
  const bool pulled_source = node.plain && node.in.empty();
  return !pulled_source && !node.passes_on;
}

class relaying {
 public:
  relaying(const graph& g, const std::function<std::unique_ptr<behaviour>()>& make_relay)
      : made_(g), make_relay_(make_relay) {}

  graph done() {
    const std::size_t count = made_.nodes().size();
    for (from_ = 0; from_ != count; ++from_) {
      for (port_ = 0; port_ != now().nodes()[from_].out.size(); ++port_) {
        const out_port_description& port = now().nodes()[from_].out[port_];
        if (port.tag_words != 0 || port.type->codec() == nullptr) continue;
        policy_tree tree = port.policy;
        look_into(tree, true);
        made_.nodes()[from_].out[port_].policy = std::move(tree);
      }
    }
    return std::move(made_);
  }

 private:
  void look_into(policy_tree& tree, bool outermost) {
    if (tree.is_leaf() || tree.rule.kind == distribution::on_demand) return;
    if (tree.rule.kind == distribution::broadcast) {
      relay(tree, outermost && may_address(now().nodes()[from_]));
    }
    for (policy_tree& child : tree.children) look_into(child, false);
  }

  // Groups the consumers of a broadcast rule behind relays.
  void relay(policy_tree& tree, bool addressed) {
    if (!addressed) tree.children = flattened(tree);
    std::vector<policy_tree> children = std::exchange(tree.children, {});
    std::vector<std::string> groups;
    for (const policy_tree& child : children) groups.push_back(only_group_of(child));
    std::vector<bool> placed(children.size(), false);
    for (std::size_t first = 0; first != children.size(); ++first) {
      if (placed[first]) continue;
      std::vector<std::size_t> together;
      for (std::size_t i = first; i != children.size(); ++i) {
        if (i == first || (!groups[first].empty() && groups[i] == groups[first])) together.push_back(i);
      }
      for (const std::size_t i : together) placed[i] = true;
      if (together.size() == 1) {
        tree.children.push_back(std::move(children[first]));
        continue;
      }
      std::vector<policy_tree> behind;
      for (const std::size_t i : together) behind.push_back(std::move(children[i]));
      tree.children.push_back(by_relay(groups[first], std::move(behind), addressed));
      if (addressed) tree.children.back().stands_for = std::move(together);
    }
  }

  // Merges nested broadcasts: a copy of a copy is a copy.
  static std::vector<policy_tree> flattened(const policy_tree& tree) {
    std::vector<policy_tree> made;
    for (const policy_tree& child : tree.children) {
      if (child.is_leaf() || child.rule.kind != distribution::broadcast) {
        made.push_back(child);
        continue;
      }
      for (policy_tree& each : flattened(child)) made.push_back(std::move(each));
    }
    return made;
  }

  // Returns the group of all these consumers, if it is the same for all and not that of the sender;
  // empty otherwise, or if they can't be behind a relay.
  std::string only_group_of(const policy_tree& tree) const {
    std::string group;
    for (const channel_id id : leaves_of(tree)) {
      const channel_description& c = now().channels()[id];
      const std::string& of = now().nodes()[c.to].traits.group;
      if (c.unbounded || of == now().nodes()[from_].traits.group || (!group.empty() && of != group)) return "";
      group = of;
    }
    return group;
  }

  policy_tree by_relay(const std::string& group, std::vector<policy_tree> consumers, bool addressed) {
    const out_port_description port = now().nodes()[from_].out[port_];
    node_description node;
    node.path = now().nodes()[from_].path + "/to/" + group;
    node.kind = "relay";
    node.in.push_back({port.type, {}, addressed ? std::size_t{1} : std::size_t{0}});
    node.out.push_back({port.type, {}});
    node.traits.group = group;
    node.relays_for = from_;
    node.make = make_relay_;
    policy_tree copies;
    copies.rule.kind = distribution::broadcast;
    copies.children = std::move(consumers);
    const std::vector<channel_id> leaves = leaves_of(copies);
    node.out.front().policy = std::move(copies);
    const node_id made = made_.add(std::move(node));
    std::size_t capacity = std::numeric_limits<std::size_t>::max();
    for (const channel_id id : leaves) {
      channel_description& c = made_.channels()[id];
      c.from = made;
      c.from_port = 0;
      if (c.capacity != 0) capacity = std::min(capacity, c.capacity);
    }
    if (capacity == std::numeric_limits<std::size_t>::max()) capacity = 0;
    join_loops(made, leaves);
    policy_tree leaf;
    leaf.leaf = made_.add_channel({.from = from_,
                                   .from_port = port_,
                                   .to = made,
                                   .to_port = 0,
                                   .type = port.type,
                                   .capacity = capacity,
                                   .addressed = addressed});
    return leaf;
  }

  // Items that go between members of a loop stay in the loop.
  void join_loops(node_id relay, const std::vector<channel_id>& consumers) {
    for (loop_description& around : made_.loops()) {
      const auto has = [&](node_id node) { return std::ranges::find(around.members, node) != around.members.end(); };
      const auto leads_inside = [&](channel_id id) { return has(now().channels()[id].to); };
      if (has(from_) && std::ranges::any_of(consumers, leads_inside)) around.members.push_back(relay);
    }
  }

  const graph& now() const noexcept { return made_; }

  graph made_;
  const std::function<std::unique_ptr<behaviour>()>& make_relay_;
  node_id from_ = 0;
  std::uint32_t port_ = 0;
};

}  // namespace

graph relay_broadcasts(const graph& g, const std::function<std::unique_ptr<behaviour>()>& make_relay) {
  return relaying(g, make_relay).done();
}

double relayed_cost(const graph& relayed, channel_id to_relay, const std::vector<double>& costs) {
  const node_description& relay = relayed.nodes()[relayed.channels()[to_relay].to];
  double sum = 0;  // each consumer gets every item
  for (const channel_id id : leaves_of(relay.out.front().policy.children.front())) sum += costs[id];
  return sum;
}

}  // namespace weir::detail
