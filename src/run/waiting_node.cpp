// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/waiting_node.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace weir::detail {
namespace {

// Most nodes of a cycle that the text names.
constexpr std::size_t steps_told_most = 8;

}  // namespace

waiting_cycle cycle_of(const std::vector<waiting_node>& all) {
  std::unordered_map<std::string_view, const waiting_node*> by_path;
  for (const waiting_node& each : all) by_path.emplace(each.path, &each);
  std::vector<const waiting_node*> way;
  std::unordered_map<std::string_view, std::size_t> place_of;  // position on the way, by the waiting node
  std::size_t first = 0;
  for (auto at = by_path.find(all.front().path); at != by_path.end(); at = by_path.find(at->second->next)) {
    const auto [place, is_new] = place_of.emplace(at->second->who, way.size());
    if (!is_new) {
      first = place->second;
      break;
    }
    way.push_back(at->second);
  }
  const std::size_t steps = way.size() - first;
  waiting_cycle made{.path = way[first]->who, .text = "no node can go on, because each waits for the next: "};
  for (std::size_t i = 0; i != std::min(steps, steps_told_most); ++i) {
    made.text += (i == 0 ? "" : ", ") + way[first + i]->text;
  }
  if (steps > steps_told_most) made.text += ", and " + std::to_string(steps - steps_told_most) + " more";
  made.text += ". Give the full channels more capacity, or let each node send something for each item";
  return made;
}

}  // namespace weir::detail
