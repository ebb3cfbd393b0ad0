// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/assign_groups.hpp"

#include "weir/graph/error.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace weir::detail {
namespace {

// One component of a path or pattern: `split[1]`, `split[0-2]`, `split`.
struct path_part {
  std::string name;
  bool numbered = false;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

path_part part_of(std::string_view text, std::string_view whole) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return {.name = std::string(text)};
  path_part made{.name = std::string(text.substr(0, open))};
  const std::string_view range =
      text.ends_with(']') ? text.substr(open + 1, text.size() - open - 2) : std::string_view();
  const std::size_t dash = range.find('-');
  const auto first = number(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
  if (!first || !last || *last < *first) {
    throw graph_error(std::string(whole), "is no pattern for nodes; write /split[1], or split[0-2], or split");
  }
  made.numbered = true;
  made.first = *first;
  made.last = *last;
  return made;
}

std::vector<path_part> parts_of(std::string_view path) {
  std::vector<path_part> parts;
  std::string_view rest = path;
  if (rest.starts_with('/')) rest.remove_prefix(1);
  for (;;) {
    const std::size_t slash = rest.find('/');
    parts.push_back(part_of(rest.substr(0, slash), path));
    if (slash == std::string_view::npos) return parts;
    rest.remove_prefix(slash + 1);
  }
}

bool matches(const path_part& pattern, const path_part& name) {
  return ::fnmatch(pattern.name.c_str(), name.name.c_str(), 0) == 0 &&
         (!pattern.numbered || (name.numbered && pattern.first <= name.first && name.first <= pattern.last));
}

}  // namespace

bool selects(std::string_view pattern, std::string_view path) {
  const std::vector<path_part> wanted = parts_of(pattern);
  const std::vector<path_part> found = parts_of(path);
  return wanted.size() <= found.size() && std::equal(wanted.begin(), wanted.end(), found.begin(), matches);
}

std::vector<graph_error> select_groups(graph& g, const std::vector<group_selection>& groups) {
  std::vector<graph_error> wrong;
  std::vector<const group_selection*> selected(g.nodes().size());
  const auto select = [&](const group_selection& group, const std::string& pattern) {
    bool any = false;
    for (node_id id = 0; id != selected.size(); ++id) {
      const std::string& path = std::as_const(g).nodes()[id].path;
      if (!selects(pattern, path)) continue;
      any = true;
      if (selected[id] != nullptr && selected[id] != &group) {
        wrong.emplace_back(path,
                           "is in two groups, " + selected[id]->group + " and " + group.group + "; leave it in one");
      }
      selected[id] = &group;
    }
    if (!any) {
      wrong.emplace_back(
          pattern, "is what group " + group.group + " asks for, but there is no such node; weir graph shows them");
    }
  };
  for (const group_selection& group : groups) {
    for (const std::string& pattern : group.nodes) {
      try {
        select(group, pattern);
      } catch (const graph_error& problem) {
        wrong.push_back(problem);
      }
    }
  }
  for (node_id id = 0; id != selected.size(); ++id) {
    if (selected[id] != nullptr) g.nodes()[id].traits.group = selected[id]->group;
  }
  return wrong;
}

std::vector<std::string> selection_of(const graph& g, const std::string& group) {
  std::vector<std::string> names;  // names of farms and single nodes, in the order of the graph
  std::map<std::string, std::vector<std::optional<std::size_t>>> own;  // numbers of their nodes in the group
  for (const node_description& node : g.nodes()) {
    if (node.traits.group != group) continue;
    const bool numbered = node.path.back() == ']';
    const std::size_t bracket = node.path.rfind('[');
    const std::string name = node.path.substr(1, numbered ? bracket - 1 : std::string::npos);
    const auto [of, added] = own.try_emplace(name);
    if (added) names.push_back(name);
    of->second.push_back(numbered ? std::optional<std::size_t>(std::stoul(node.path.substr(bracket + 1)))
                                  : std::nullopt);
  }
  const auto has_all = [&](const std::string& name) {
    return std::ranges::all_of(
        g.nodes(), [&](const auto& node) { return node.traits.group == group || !selects(name, node.path); });
  };
  std::vector<std::string> made;
  for (const std::string& name : names) {
    auto& numbers = own[name];
    std::ranges::sort(numbers);
    if (!numbers.front() || has_all(name)) {
      made.push_back(name);
      continue;
    }
    for (auto at = numbers.begin(); at != numbers.end();) {
      const std::size_t first = **at;
      std::size_t last = first;
      while (++at != numbers.end() && **at == last + 1) ++last;
      made.push_back(name + "[" + std::to_string(first) + (last == first ? "" : "-" + std::to_string(last)) + "]");
    }
  }
  return made;
}

std::vector<graph_error> check_groups(const graph& g, const std::vector<group_selection>& groups) {
  std::vector<graph_error> wrong;
  std::string names;
  for (const group_selection& group : groups) names += (names.empty() ? "" : ", ") + group.group;
  for (const node_description& node : g.nodes()) {
    if (node.traits.group.empty()) {
      wrong.emplace_back(node.path, "is in no group; add it to one of " + names);
    } else if (std::ranges::find(groups, node.traits.group, &group_selection::group) == groups.end()) {
      wrong.emplace_back(node.path, "is in the group " + node.traits.group + ", but there are only " + names);
    }
  }
  for (const group_selection& group : groups) {
    const auto in_it = [&](const node_description& node) { return node.traits.group == group.group; };
    if (std::ranges::none_of(g.nodes(), in_it)) wrong.emplace_back(group.group, "is a group without nodes");
  }
  return wrong;
}

}  // namespace weir::detail
