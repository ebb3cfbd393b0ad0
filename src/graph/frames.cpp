// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/frames.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace weir::detail {
namespace {

using figure_set = std::set<std::size_t>;

bool holds(const figure_set& all, const figure_set& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

bool are_apart(const figure_set& a, const figure_set& b) {
  return std::none_of(a.begin(), a.end(), [&](std::size_t each) { return b.contains(each); });
}

// Returns `from` and all figures that can be reached from it over bundles that don't go back.
figure_set reached(figure_set from, const std::vector<std::vector<std::size_t>>& next) {
  std::vector<std::size_t> open(from.begin(), from.end());
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t to : next[at]) {
      if (from.insert(to).second) open.push_back(to);
    }
  }
  return from;
}

// Returns for each bundle the figures between those that it leads to and those that it comes from.
// The set is empty if the bundle does not go back.
std::vector<figure_set> members_of_loops(const figures& f) {
  std::vector<std::vector<std::size_t>> next(f.all.size()), last(f.all.size());
  for (const bundle& b : f.bundles) {
    if (b.goes_back()) continue;
    for (const std::size_t from : b.from) {
      for (const std::size_t to : b.to_figures()) {
        next[from].push_back(to);
        last[to].push_back(from);
      }
    }
  }
  std::vector<figure_set> result(f.bundles.size());
  for (std::size_t i = 0; i != f.bundles.size(); ++i) {
    const bundle& b = f.bundles[i];
    if (!b.goes_back()) continue;
    const figure_set after = reached(b.to_figures(), next), before = reached(b.from, last);
    result[i] = b.ends();
    std::set_intersection(after.begin(), after.end(), before.begin(), before.end(),
                          std::inserter(result[i], result[i].end()));
  }
  return result;
}

bool leads_through_a_chain(const figure_set& members, const figures& f) {
  return std::none_of(f.bundles.begin(), f.bundles.end(),
                      [&](const bundle& b) { return b.has_joint() && holds(members, b.ends()); });
}

}  // namespace

frames::frames(const figures& f) : members_(members_of_loops(f)) {
  std::map<std::string, figure_set> groups;
  std::map<std::pair<std::string, std::string>, figure_set> boxes;
  for (std::size_t i = 0; i != f.all.size(); ++i) {
    const std::string& group = f.all[i].nodes.front()->group;
    const std::string box = f.all[i].box();
    if (!group.empty()) groups[group].insert(i);
    if (!box.empty()) boxes[{group, box}].insert(i);
  }
  for (const auto& [name, inside] : groups) all_.push_back({frame::kind::group, name, inside, no_frame});
  for (const auto& [name, inside] : boxes) {
    if (inside.size() > 1) all_.push_back({frame::kind::box, name.second, inside, no_frame});
  }
  for (const figure_set& members : members_) {
    is_chain_.push_back(leads_through_a_chain(members, f));
    frame wanted{frame::kind::loop, "", members, no_frame};
    if (members.size() > 1 && !is_chain_.back() && fits(wanted)) all_.push_back(std::move(wanted));
  }
  std::sort(all_.begin(), all_.end(), [](const frame& a, const frame& b) {
    return std::tuple(b.inside.size(), *a.inside.begin(), a.of) < std::tuple(a.inside.size(), *b.inside.begin(), b.of);
  });
  for (std::size_t i = 0; i != all_.size(); ++i) {
    for (std::size_t outer = 0; outer != i; ++outer) {
      if (holds(all_[outer].inside, all_[i].inside)) all_[i].outer = outer;
    }
  }
}

bool frames::fits(const frame& wanted) const {
  return std::all_of(all_.begin(), all_.end(), [&](const frame& other) {
    if (other.inside == wanted.inside) return other.of == frame::kind::group;
    return holds(other.inside, wanted.inside) || holds(wanted.inside, other.inside) ||
           are_apart(other.inside, wanted.inside);
  });
}

std::size_t frames::around(const figure_set& some) const {
  for (std::size_t i = all_.size(); i != 0; --i) {
    if (holds(all_[i - 1].inside, some)) return i - 1;
  }
  return no_frame;
}

std::size_t frames::outside_loop(std::size_t bundle) const {
  const figure_set& members = members_[bundle];
  for (std::size_t i = all_.size(); i != 0; --i) {
    const frame& each = all_[i - 1];
    const bool is_more = each.of == frame::kind::group || each.inside.size() > members.size();
    if (is_more && holds(each.inside, members)) return i - 1;
  }
  return no_frame;
}

}  // namespace weir::detail
