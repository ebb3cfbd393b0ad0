// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/figures.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace weir::detail {
namespace {

constexpr std::size_t most_members_drawn = 16;

// Returns `/outer[*]/inner[*]` for `/outer[1]/inner[0]`: the same for all members of a farm.
std::string family_of(const drawing::node& node) {
  if (node.width <= 1) return node.path;
  std::string result;
  for (std::size_t i = 0; i != node.path.size(); ++i) {
    result += node.path[i];
    const std::size_t end = node.path.find_first_not_of("0123456789", i + 1);
    if (node.path[i] != '[' || end == i + 1 || end == std::string::npos || node.path[end] != ']') continue;
    result += '*';
    i = end - 1;
  }
  return result;
}

std::string key(const drawing::node& node) { return node.group + '\n' + node.kind + '\n' + family_of(node); }

}  // namespace

std::string figure::box() const {
  const drawing::node& first = *nodes.front();
  const std::size_t bracket = first.width > 1 ? first.path.find('[') : std::string::npos;
  return bracket == std::string::npos ? "" : first.path.substr(0, bracket);
}

std::set<std::size_t> bundle::to_figures() const {
  std::set<std::size_t> result;
  for (const auto& [figure, port] : to) result.insert(figure);
  return result;
}

std::set<std::size_t> bundle::ends() const {
  std::set<std::size_t> result = to_figures();
  result.insert(from.begin(), from.end());
  return result;
}

figures::figures(const drawing& d) {
  std::map<std::string, std::size_t> members, seen;
  for (const drawing::node& node : d.nodes) ++members[key(node)];
  for (const drawing::node& node : d.nodes) {
    const bool alone = members[key(node)] <= most_members_drawn;
    const std::string id = alone ? node.path : family_of(node);
    const auto [at, is_new] = seen.emplace(alone ? id : key(node), all.size());
    if (is_new) all.push_back({id, {}});
    all[at->second].nodes.push_back(&node);
    of_node.push_back(at->second);
  }
  collect_bundles(d);
}

void figures::collect_bundles(const drawing& d) {
  // Type, policy, unbounded, loop, port. The loops of the members of a farm count as one.
  using port = std::tuple<std::string, std::string, bool, std::string, std::uint32_t>;
  std::map<std::pair<port, std::size_t>, bundle> by_port;  // by port and its figure
  for (const drawing::channel& c : d.channels) {
    bundle& own =
        by_port[{{c.type, c.policy, c.unbounded, path_without_numbers(c.loop), c.from_port}, of_node[c.from]}];
    own.to.emplace(of_node[c.to], c.to_port);
    own.all.push_back(&c);
  }
  std::map<std::pair<port, decltype(bundle::to)>, bundle> merged;
  for (auto& [which, own] : by_port) {
    bundle& into = merged[{which.first, own.to}];
    into.from.insert(which.second);
    into.to = own.to;
    into.all.insert(into.all.end(), own.all.begin(), own.all.end());
  }
  for (auto& [which, own] : merged) bundles.push_back(std::move(own));
  std::sort(bundles.begin(), bundles.end(), [](const bundle& a, const bundle& b) {
    return std::tie(*a.from.begin(), *a.to.begin()) < std::tie(*b.from.begin(), *b.to.begin());
  });
  std::set<std::tuple<std::string, std::string, std::string, std::string, bool>> said;
  for (bundle& b : bundles) {
    const drawing::channel& c = *b.all.front();
    const bool is_new =
        said.insert({family_of(d.nodes[c.from]), family_of(d.nodes[c.to]), c.type, c.policy, c.unbounded}).second;
    b.says_kind = b.has_joint() || is_new;
  }
}

}  // namespace weir::detail
