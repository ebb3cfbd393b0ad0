// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/plan_loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace weir::detail {
namespace {

class loop_planning {
 public:
  loop_planning(const graph& g, bool is_part) : g_(g), is_part_(is_part), made_(g.loops().size()) {
    for (const loop_description& about : g.loops()) members_.emplace_back(about.members.begin(), about.members.end());
  }

  std::vector<loop_plan> done() {
    for (const channel_description& back : g_.channels()) {
      if (back.loop != no_loop && !is_elsewhere(back.to)) add_head(back);
    }
    for (loop_id id = 0; id != made_.size(); ++id) {
      add_channels(id);
      add_members(id);
    }
    return std::move(made_);
  }

 private:
  // Whether the node stands for nodes of another group.
  bool is_elsewhere(node_id node) const { return is_part_ && g_.nodes()[node].in_whole == no_node; }

  bool has(loop_id id, node_id node) const { return members_[id].contains(node); }

  loop_id largest_around(node_id node) const {
    loop_id largest = no_loop;
    for (loop_id id = 0; id != members_.size(); ++id) {
      if (has(id, node) && (largest == no_loop || members_[id].size() >= members_[largest].size())) largest = id;
    }
    return largest;
  }

  // Whether loop `outer` is another one around all of loop `inner`; of two with the same members,
  // the later one is.
  bool lies_around(loop_id outer, loop_id inner) const {
    if (outer == no_loop || outer == inner) return false;
    const auto size = [&](loop_id id) { return std::pair(members_[id].size(), id); };
    return size(outer) > size(inner) && std::includes(members_[outer].begin(), members_[outer].end(),
                                                      members_[inner].begin(), members_[inner].end());
  }

  void add_head(const channel_description& back) {
    made_[back.loop].heads.push_back(back.to);
    if (asked_.contains(back.to)) return;
    std::vector<node_id>& asked = made_[largest_around(back.to)].asked;
    asked_.emplace(back.to, asked.size());
    asked.push_back(back.to);
  }

  void add_channels(loop_id id) {
    for (channel_id c = 0; c != g_.channels().size(); ++c) {
      const channel_description& into = g_.channels()[c];
      if (has(id, into.to)) made_[id].channels.push_back({c, !has(id, into.from) || lies_around(into.loop, id)});
    }
  }

  void add_members(loop_id id) {
    for (const node_id member : members_[id]) {
      if (is_elsewhere(member) && g_.nodes()[member].in.empty())
        continue;  // its items are counted where they come from
      const auto asked = asked_.find(member);
      const bool by_this = asked != asked_.end() && largest_around(member) == id;
      made_[id].members.push_back({member, by_this ? std::optional(asked->second) : std::nullopt});
    }
  }

  const graph& g_;
  const bool is_part_;
  std::vector<std::set<node_id>> members_;  // by loop
  std::map<node_id, std::size_t> asked_;    // by head: its place among those that its loop asks
  std::vector<loop_plan> made_;
};

}  // namespace

std::vector<loop_plan> plan_loops(const graph& g, bool is_part) { return loop_planning(g, is_part).done(); }

}  // namespace weir::detail
