// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/plan.hpp"

#include "weir/detail/passes/assign_groups.hpp"
#include "weir/graph/error.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

namespace weir::detail {
namespace {

// Number of rounds of the estimate. Half of the items of a loop leave it in each round, so this
// number is sufficient.
constexpr int rounds_of_estimate = 64;
constexpr std::size_t random_starts = 8;
// Largest number of bundles for which exchanges of two bundles are tried.
constexpr std::size_t bundles_exchanged_most = 400;
constexpr double least_gain = 1e-9;

// Adds to `items` the number of items of `sent` that reach each channel of a policy tree.
void share_out(const policy_tree& tree, double sent, std::vector<double>& items) {
  if (tree.is_leaf()) {
    items[tree.leaf] += sent;
    return;
  }
  const bool each = tree.rule.kind == distribution::broadcast;
  const double to_each = each ? sent : sent / static_cast<double>(tree.children.size());
  for (const policy_tree& child : tree.children) share_out(child, to_each, items);
}

// Nodes that must stay together.
struct node_bundle {
  double work = 0;
  bool fixed = false;                 // its program has put it into its group
  std::optional<std::size_t> spread;  // the group for its share of a farm, unless another group would be empty
  std::size_t group = 0;
  std::vector<std::pair<std::size_t, double>> neighbours;  // with the bytes between them
  std::vector<std::size_t> copies;                         // numbers of the broadcasts that it sends or receives
};

// A broadcast to several consumers: its items cross to each group once (see `relay_broadcasts`).
struct copied {
  std::size_t from = 0;
  std::vector<std::size_t> to;
  double bytes = 0;  // bytes of each copy
};

// Finds, for each broadcast rule, the channels that carry all its items.
void copies_in(const graph& g, const policy_tree& tree, std::vector<std::vector<channel_id>>& found) {
  if (tree.is_leaf() || tree.rule.kind == distribution::on_demand) return;
  if (tree.rule.kind == distribution::broadcast) {
    std::vector<channel_id> some;
    for (const policy_tree& child : tree.children) {
      if (child.is_leaf() && !g.channels()[child.leaf].unbounded) some.push_back(child.leaf);
    }
    if (some.size() > 1) found.push_back(std::move(some));
  }
  for (const policy_tree& child : tree.children) copies_in(g, child, found);
}

class planning {
 public:
  planning(const graph& g, const graph_costs& costs, const std::vector<planned_group>& groups)
      : graph_(g), groups_(groups), bundle_of_(g.nodes().size()) {
    join_what_has_no_codec();
    const double all_work = std::accumulate(costs.nodes.begin(), costs.nodes.end(), 0.0);
    const double all_bytes = std::accumulate(costs.channels.begin(), costs.channels.end(), 0.0);
    const double all_cores = std::accumulate(groups.begin(), groups.end(), 0.0,
                                             [](double sum, const planned_group& each) { return sum + each.cores; });
    for (const planned_group& each : groups) cores_.push_back(each.cores / all_cores);
    for (node_id node = 0; node != bundle_of_.size(); ++node) {
      bundles_[bundle_of_[node]].work += all_work > 0 ? costs.nodes[node] / all_work : 0;
      fix(node);
    }
    spread();
    if (all_bytes <= 0) return;
    const std::vector<bool> counted = find_copies(costs, all_bytes);
    for (channel_id id = 0; id != g.channels().size(); ++id) {
      const std::size_t from = bundle_of_[g.channels()[id].from];
      const std::size_t to = bundle_of_[g.channels()[id].to];
      if (from == to || counted[id]) continue;
      bundles_[from].neighbours.emplace_back(to, costs.channels[id] / all_bytes);
      bundles_[to].neighbours.emplace_back(from, costs.channels[id] / all_bytes);
    }
  }

  group_plan best() {
    std::optional<std::vector<std::size_t>> found;
    double least = 0;
    const auto try_from = [&](const auto& choose) {
      for (std::size_t i = 0; i != bundles_.size(); ++i) {
        if (!bundles_[i].fixed) bundles_[i].group = bundles_[i].spread ? *bundles_[i].spread : choose(i);
      }
      count();
      fill_empty_groups();
      improve();
      if (found && value() >= least - least_gain) return;
      least = value();
      found.emplace();
      for (const node_bundle& each : bundles_) found->push_back(each.group);
    };
    double before = 0;
    try_from([&](std::size_t i) {  // consecutive stages in one group
      const double middle = before + bundles_[i].work / 2;
      before += bundles_[i].work;
      double end = 0;
      for (std::size_t group = 0; group + 1 < cores_.size(); ++group) {
        if (middle < (end += cores_[group])) return group;
      }
      return cores_.size() - 1;
    });
    try_from([&](std::size_t i) { return i % cores_.size(); });
    std::mt19937 random(1);
    for (std::size_t i = 0; i != random_starts; ++i) try_from([&](std::size_t) { return random() % cores_.size(); });

    for (std::size_t i = 0; i != bundles_.size(); ++i) bundles_[i].group = (*found)[i];
    put_groups_in_order();
    count();
    group_plan plan;
    for (const std::size_t each : bundle_of_) plan.group_of.push_back(groups_[bundles_[each].group].name);
    plan.work = work_;
    plan.cut = cut_;
    return plan;
  }

 private:
  // Finds the broadcasts. @return by channel: whether it belongs to one
  std::vector<bool> find_copies(const graph_costs& costs, double all_bytes) {
    std::vector<std::vector<channel_id>> found;
    for (const node_description& node : graph_.nodes()) {
      for (const auto& port : node.out) {
        if (port.tag_words == 0) copies_in(graph_, port.policy, found);
      }
    }
    std::vector<bool> among(graph_.channels().size(), false);
    for (const std::vector<channel_id>& some : found) {
      copied& made = copies_.emplace_back();
      made.from = bundle_of_[graph_.channels()[some.front()].from];
      made.bytes = costs.channels[some.front()] / all_bytes;
      bundles_[made.from].copies.push_back(copies_.size() - 1);
      for (const channel_id id : some) {
        among[id] = true;
        const std::size_t to = bundle_of_[graph_.channels()[id].to];
        if (to == made.from || std::ranges::find(made.to, to) != made.to.end()) continue;
        made.to.push_back(to);
        bundles_[to].copies.push_back(copies_.size() - 1);
      }
    }
    return among;
  }

  // Returns the bytes of a broadcast that cross between groups.
  double crossing(const copied& what) const {
    std::vector<std::size_t> groups{bundles_[what.from].group};
    for (const std::size_t to : what.to) {
      if (std::ranges::find(groups, bundles_[to].group) == groups.end()) groups.push_back(bundles_[to].group);
    }
    return what.bytes * static_cast<double>(groups.size() - 1);
  }

  void join_what_has_no_codec() {
    std::vector<node_id> first(bundle_of_.size());  // first of the nodes that are joined
    std::iota(first.begin(), first.end(), node_id{0});
    for (const channel_description& c : graph_.channels()) {
      if (c.type->codec() != nullptr) continue;
      const auto [keep, drop] = std::minmax(first[c.from], first[c.to]);
      std::ranges::replace(first, node_id{drop}, node_id{keep});
    }
    for (node_id node = 0; node != first.size(); ++node) {
      if (first[node] == node) {
        bundle_of_[node] = bundles_.size();
        bundles_.emplace_back();
      } else {
        bundle_of_[node] = bundle_of_[first[node]];
      }
    }
  }

  // Fixes the bundle of a node in the group in which the program has put the node.
  void fix(node_id node) {
    const std::string& group = graph_.nodes()[node].traits.group;
    const auto found = std::ranges::find(groups_, group, &planned_group::name);
    if (group.empty() || found == groups_.end()) return;
    node_bundle& in = bundles_[bundle_of_[node]];
    const auto number = static_cast<std::size_t>(found - groups_.begin());
    if (in.fixed && in.group != number) {
      throw graph_error(graph_.nodes()[node].path, "is in group " + group + ", but joined to a node in " +
                                                       groups_[in.group].name + " by items that have no codec");
    }
    in.fixed = true;
    in.group = number;
  }

  // Chooses groups for spread nodes that are alone in their bundles.
  void spread() {
    std::vector<std::size_t> members(bundles_.size());
    for (const std::size_t each : bundle_of_) ++members[each];
    for (node_id id = 0; id != bundle_of_.size(); ++id) {
      const node_description& node = graph_.nodes()[id];
      if (!node.traits.spread || members[bundle_of_[id]] != 1) continue;
      const double middle = (static_cast<double>(node.index) + 0.5) / static_cast<double>(node.width);
      std::size_t group = 0;
      for (double end = cores_[0]; end <= middle && group + 1 < cores_.size(); end += cores_[group]) ++group;
      bundles_[bundle_of_[id]].spread = group;
    }
  }

  void count() {
    work_.assign(cores_.size(), 0);
    size_.assign(cores_.size(), 0);
    cut_ = 0;
    for (const node_bundle& each : bundles_) {
      work_[each.group] += each.work;
      ++size_[each.group];
      for (const auto& [other, bytes] : each.neighbours) cut_ += bundles_[other].group == each.group ? 0 : bytes / 2;
    }
    for (const copied& each : copies_) cut_ += crossing(each);
  }

  void fill_empty_groups() {
    for (std::size_t empty = 0; empty != size_.size(); ++empty) {
      if (size_[empty] != 0) continue;
      node_bundle* lightest = nullptr;
      for (node_bundle& each : bundles_) {
        if (each.fixed || size_[each.group] < 2) continue;
        if (lightest == nullptr || each.work < lightest->work) lightest = &each;
      }
      if (lightest == nullptr) {
        throw graph_error(groups_[empty].name, "would be a group without nodes: the network has only " +
                                                   std::to_string(bundles_.size()) +
                                                   " that can be apart; ask for fewer groups");
      }
      move(*lightest, empty);
    }
  }

  double value() const {
    double busiest = 0;
    for (std::size_t group = 0; group != cores_.size(); ++group) {
      busiest = std::max(busiest, work_[group] / cores_[group]);
    }
    return busiest + cut_;
  }

  void move(node_bundle& what, std::size_t to) {
    for (const auto& [other, bytes] : what.neighbours) {
      cut_ += (bundles_[other].group == to ? 0 : bytes) - (bundles_[other].group == what.group ? 0 : bytes);
    }
    for (const std::size_t each : what.copies) cut_ -= crossing(copies_[each]);
    work_[what.group] -= what.work;
    work_[to] += what.work;
    --size_[what.group];
    ++size_[to];
    what.group = to;
    for (const std::size_t each : what.copies) cut_ += crossing(copies_[each]);
  }

  // Moves single bundles and exchanges two bundles, as long as this reduces the value.
  void improve() {
    for (bool better = true; better;) {
      better = false;
      for (node_bundle& each : bundles_) better = improve_by_moving(each) || better;
      if (better || bundles_.size() > bundles_exchanged_most) continue;
      for (std::size_t i = 0; i != bundles_.size(); ++i) {
        for (std::size_t j = i + 1; j != bundles_.size(); ++j) {
          better = improve_by_exchanging(bundles_[i], bundles_[j]) || better;
        }
      }
    }
  }
  bool improve_by_moving(node_bundle& what) {
    if (what.fixed || what.spread || size_[what.group] < 2) return false;
    const std::size_t from = what.group;
    std::size_t best = from;
    double least = value() - least_gain;
    for (std::size_t to = 0; to != cores_.size(); ++to) {
      if (to == from) continue;
      move(what, to);
      if (value() < least) {
        least = value() - least_gain;
        best = to;
      }
      move(what, from);
    }
    move(what, best);
    return best != from;
  }
  bool improve_by_exchanging(node_bundle& a, node_bundle& b) {
    if (a.fixed || b.fixed || a.spread || b.spread || a.group == b.group) return false;
    const double before = value();
    const std::size_t from = a.group;
    const std::size_t to = b.group;
    move(a, to);
    move(b, from);
    if (value() < before - least_gain) return true;
    move(a, from);
    move(b, to);
    return false;
  }

  // Puts groups that are interchangeable in the order of their first nodes. Therefore the first
  // group gets the first source, which may read standard input.
  void put_groups_in_order() {
    std::vector<bool> settled(cores_.size());
    for (const node_bundle& each : bundles_) settled[each.group] = settled[each.group] || each.fixed;
    for (const node_bundle& first : bundles_) {
      const std::size_t now = first.group;
      if (settled[now]) continue;
      std::size_t earliest = 0;
      while (settled[earliest] || cores_[earliest] != cores_[now]) ++earliest;
      for (node_bundle& each : bundles_) {
        if (each.group == now) {
          each.group = earliest;
        } else if (each.group == earliest) {
          each.group = now;
        }
      }
      settled[earliest] = true;
    }
  }

  const graph& graph_;
  const std::vector<planned_group>& groups_;
  std::vector<double> cores_;           // share of all cores, by group
  std::vector<std::size_t> bundle_of_;  // by node
  std::vector<node_bundle> bundles_;
  std::vector<copied> copies_;
  std::vector<double> work_;       // by group
  std::vector<std::size_t> size_;  // number of bundles, by group
  double cut_ = 0;
};

}  // namespace

graph_costs estimated_costs(const graph& g) {
  std::vector<double> items(g.channels().size());
  graph_costs made;
  for (int round = 0; round != rounds_of_estimate; ++round) {
    std::vector<double> taken(g.nodes().size());
    for (channel_id id = 0; id != items.size(); ++id) taken[g.channels()[id].to] += items[id];
    items.assign(items.size(), 0);
    for (node_id id = 0; id != taken.size(); ++id) {
      const node_description& node = g.nodes()[id];
      if (node.in.empty()) taken[id] = 1;
      for (const auto& port : node.out) share_out(port.policy, taken[id] / static_cast<double>(node.out.size()), items);
    }
    made.nodes = std::move(taken);
  }
  for (channel_id id = 0; id != items.size(); ++id) {
    made.channels.push_back(items[id] * static_cast<double>(g.channels()[id].type->size));
  }
  return made;
}

group_plan plan_groups(const graph& g, const graph_costs& costs, const std::vector<planned_group>& groups) {
  return planning(g, costs, groups).best();
}

std::vector<graph_error> settle_groups(graph& g, const std::vector<group_selection>& selections,
                                       const std::vector<planned_group>& planned, const graph_costs& costs) {
  std::vector<graph_error> wrong = select_groups(g, selections);
  if (!planned.empty()) {
    const group_plan plan = plan_groups(g, costs, planned);
    for (node_id id = 0; id != plan.group_of.size(); ++id) g.nodes()[id].traits.group = plan.group_of[id];
  }
  std::ranges::move(check_groups(g, selections), std::back_inserter(wrong));
  return wrong;
}

}  // namespace weir::detail
