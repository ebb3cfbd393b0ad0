// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/run/choose_tuning.hpp"

#include "weir/detail/passes/fuse.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir {
namespace {

// If a node works this long for an item, saving the few nanoseconds of a channel is not worthwhile.
constexpr double light_nanoseconds = 500;
// Share of the ideal time that a farm may take, so that it does not become the limit itself.
constexpr double headroom = 0.9;
// Workers that share a piece of work get up to this much more than their share, rather than one
// more worker.
constexpr double tolerance = 0.1;
// Shares of the run: waiting from `waits` on counts; a node busy below `idle_most` has time left.
constexpr double waits = 0.15;
constexpr double idle_most = 0.85;
constexpr std::size_t capacity_most = std::size_t{1} << 16;

class choosing {
 public:
  choosing(const graph& g, const report& r, std::size_t cores)
      : g_(g), r_(r), cores_(static_cast<double>(std::max<std::size_t>(cores, 1))) {
    for (const node_report& node : r.nodes) measured_.emplace(node.path, &node);
    double most = 0;
    for (const node_description& node : g.nodes()) {
      all_ += busy(node);
      if (node.width_least == node.width_most) most = std::max(most, busy(node));
    }
    ideal_ = std::max({all_ / cores_, most, 1.0});
  }

  tuning choose() {
    if (r_.wall.count() <= 0) return {};
    choose_widths();
    choose_fused();
    choose_capacities();
    return made_;
  }

 private:
  double busy(const node_description& node) const {
    const auto found = measured_.find(node.path);
    return found == measured_.end() ? 0 : static_cast<double>(found->second->busy.count());
  }
  double cost(const node_description& node) const {
    const auto found = measured_.find(node.path);
    if (found == measured_.end() || found->second->items == 0) return 0;
    return busy(node) / static_cast<double>(found->second->items);
  }
  double share(nanoseconds part) const {
    return static_cast<double>(part.count()) / static_cast<double>(r_.wall.count());
  }

  void choose_widths() {
    struct farm {
      double work = 0;
      const node_description* one = nullptr;
    };
    std::map<std::string, farm> farms;
    for (const node_description& node : g_.nodes()) {
      if (node.width_least == node.width_most) continue;
      farm& its = farms[farm_of(node)];
      its.work += busy(node);
      its.one = &node;
    }
    for (const auto& [path, its] : farms) {
      const auto needed = static_cast<std::size_t>(std::max(std::ceil(its.work / (headroom * ideal_)), 1.0));
      const std::size_t useful = std::min(needed, static_cast<std::size_t>(cores_));
      const std::size_t width = std::clamp(useful, its.one->width_least, its.one->width_most);
      if (width != its.one->width) made_.widths.emplace(path, width);
    }
  }

  // Returns maximal chains in which all neighbours are light.
  std::vector<std::vector<node_id>> candidates() const {
    const graph light = detail::fuse_neighbours(g_, [&](const node_description& from, const node_description& to) {
      return std::max(cost(from), cost(to)) < light_nanoseconds && !made_.widths.contains(farm_of(from)) &&
             !made_.widths.contains(farm_of(to));
    });
    return detail::chains_of(light);
  }

  void choose_fused() {
    // Chains by the nodes they consist of: those of equal workers, which are cut alike.
    std::map<std::vector<std::string>, std::vector<std::vector<node_id>>> kinds;
    for (auto& chain : candidates()) {
      if (chain.size() == 1) continue;
      std::vector<std::string> kind;
      for (const node_id id : chain) kind.push_back(path_without_numbers(g_.nodes()[id].path));
      kinds[kind].push_back(std::move(chain));
    }
    const double most = std::max(ideal_, static_cast<double>(r_.wall.count()) / 2);
    for (const auto& [kind, chains] : kinds) {
      std::vector<double> work(kind.size());
      for (const auto& chain : chains) {
        for (std::size_t i = 0; i != chain.size(); ++i) work[i] = std::max(work[i], busy(g_.nodes()[chain[i]]));
      }
      const std::vector<std::size_t> ends = pieces(work, most);
      for (const auto& chain : chains) add_pieces(chain, ends);
    }
  }

  // Cuts a chain into the fewest pieces of at most `most` work each, and makes the longest piece as
  // short as possible.
  // @return the position after the last node of each piece
  static std::vector<std::size_t> pieces(const std::vector<double>& work, double most) {
    std::vector<std::size_t> ends = cut(work, most * (1 + tolerance));
    double low = *std::max_element(work.begin(), work.end()), high = most * (1 + tolerance);
    for (int round = 0; round != 32 && low < high; ++round) {
      const double middle = (low + high) / 2;
      std::vector<std::size_t> shorter = cut(work, middle);
      if (shorter.size() <= ends.size()) {
        ends = std::move(shorter);
        high = middle;
      } else {
        low = middle;
      }
    }
    return ends;
  }

  static std::vector<std::size_t> cut(const std::vector<double>& work, double most) {
    std::vector<std::size_t> ends;
    double piece = 0;
    for (std::size_t i = 0; i != work.size(); ++i) {
      if (piece != 0 && piece + work[i] > most) {
        ends.push_back(i);
        piece = 0;
      }
      piece += work[i];
    }
    ends.push_back(work.size());
    return ends;
  }

  void add_pieces(const std::vector<node_id>& chain, const std::vector<std::size_t>& ends) {
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      if (end - begin > 1 && !runs_as_one(chain, begin, end)) {
        std::vector<std::string>& paths = made_.fused.emplace_back();
        for (std::size_t i = begin; i != end; ++i) paths.push_back(g_.nodes()[chain[i]].path);
      }
      begin = end;
    }
  }

  bool runs_as_one(const std::vector<node_id>& chain, std::size_t begin, std::size_t end) const {
    const chain_id one = g_.nodes()[chain[begin]].chain;
    return one != no_chain && std::all_of(chain.begin() + static_cast<std::ptrdiff_t>(begin),
                                          chain.begin() + static_cast<std::ptrdiff_t>(end),
                                          [&](node_id id) { return g_.nodes()[id].chain == one; });
  }

  // More room helps only if cores are idle meanwhile. Otherwise the nodes wait for each other
  // because they share cores.
  void choose_capacities() {
    if (all_ > idle_most * cores_ * static_cast<double>(r_.wall.count())) return;
    std::set<std::pair<std::string, std::string>> inside;
    for (const auto& chain : made_.fused) {
      for (std::size_t i = 0; i + 1 < chain.size(); ++i) inside.emplace(chain[i], chain[i + 1]);
    }
    std::map<std::pair<std::string, std::string>, std::size_t> found;
    std::map<std::pair<std::string, std::string>, std::size_t> capacities;
    for (const channel_report& c : r_.channels) capacities[{c.from, c.to}] = c.capacity;
    for (const channel_description& c : g_.channels()) {
      const auto from = measured_.find(g_.nodes()[c.from].path);
      const auto to = measured_.find(g_.nodes()[c.to].path);
      if (c.unbounded || leads_on_in_chain(g_, c) || from == measured_.end() || to == measured_.end()) continue;
      if (inside.contains({from->first, to->first})) continue;
      const bool by_turns = share(from->second->waiting_room) > waits && share(to->second->waiting_input) > waits &&
                            share(from->second->busy) < idle_most && share(to->second->busy) < idle_most;
      const auto known = capacities.find({from->first, to->first});
      const std::size_t capacity = known == capacities.end() ? 0 : known->second;
      if (!by_turns || capacity == 0 || 2 * capacity > capacity_most) continue;
      std::size_t& wanted = found[{path_without_numbers(from->first), path_without_numbers(to->first)}];
      wanted = std::max(wanted, 2 * capacity);
    }
    for (const auto& [ends, items] : found) made_.capacities.push_back({ends.first, ends.second, items});
  }

  const graph& g_;
  const report& r_;
  const double cores_;
  std::unordered_map<std::string, const node_report*> measured_;
  double all_ = 0;    // nanoseconds of work
  double ideal_ = 0;  // nanoseconds that the run would take at best, on all cores
  tuning made_;
};

}  // namespace

tuning choose_tuning(const graph& g, const report& r, std::size_t cores) { return choosing(g, r, cores).choose(); }

}  // namespace weir
