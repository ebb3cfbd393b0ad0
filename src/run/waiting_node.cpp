// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/waiting_node.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace weir {
namespace {

// A longer cycle is cut short.
constexpr std::size_t steps_told_most = 8;

}  // namespace

waiting_cycle cycle_of(const std::vector<waiting_node>& all) {
  std::unordered_map<std::string, const waiting_node*> by_path;
  for (const waiting_node& each : all) by_path.emplace(each.path, &each);
  std::vector<const waiting_node*> way;
  const auto on_way = [&](const waiting_node* one) {
    return std::ranges::find(way, one->text, [](const waiting_node* each) { return each->text; });
  };
  auto first = way.end();
  for (const waiting_node* at = &all.front(); (first = on_way(at)) == way.end();) {
    way.push_back(at);
    const auto next = by_path.find(at->next);
    if (next == by_path.end()) {
      first = way.begin();
      break;
    }
    at = next->second;
  }
  const auto steps = static_cast<std::size_t>(way.end() - first);
  waiting_cycle made{.path = (*first)->who, .text = "no node can go on, because each waits for the next: "};
  for (std::size_t i = 0; i != std::min(steps, steps_told_most); ++i) {
    made.text += (i == 0 ? "" : ", ") + (*(first + static_cast<std::ptrdiff_t>(i)))->text;
  }
  if (steps > steps_told_most) made.text += ", and " + std::to_string(steps - steps_told_most) + " more";
  made.text += ". Give the full channels more capacity, or let each node send something for each item";
  return made;
}

}  // namespace weir
