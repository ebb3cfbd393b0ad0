// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/cut.hpp"

#include "weir/detail/graph/tag.hpp"
#include "weir/graph/error.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace weir::detail {
namespace {

// Capacity of a cut channel in bytes. It keeps a link busy although completions are reported late.
// The channels of a producer with many consumers share the capacity of `channels_at_full_size`
// channels.
constexpr std::size_t cut_channel_bytes = std::size_t{1} << 20;
constexpr std::size_t channels_at_full_size = 4;
constexpr std::size_t cut_channel_items_least = 64;
// With more siblings than this, a channel carries so little that a smaller capacity suffices;
// memory for all of them would be expensive.
constexpr std::size_t channels_that_share_all = 32;

// Largest number of remote ends of a port: four nodes encode the items of one producer in parallel.
// One end for each of thousands of channels would cost more than the items.
constexpr std::size_t ends_of_port_most = 4;

constexpr std::string_view remote_prefix = "/remote/";

using make_end = std::function<std::unique_ptr<behaviour>(const remote_end&)>;

std::vector<loop_id> loops_around(const graph& whole, const channel_description& c) {
  std::vector<loop_id> found;
  for (loop_id id = 0; id != whole.loops().size(); ++id) {
    const auto& members = whole.loops()[id].members;
    const auto has = [&](node_id node) { return std::ranges::find(members, node) != members.end(); };
    if (has(c.from) && has(c.to)) found.push_back(id);
  }
  return found;
}

class cutting {
 public:
  cutting(const graph& whole, const std::string& group, const make_end& make)
      : whole_(whole),
        make_(make),
        ends_(remote_ends(whole, group)),
        kept_(whole.nodes().size(), no_node),
        renamed_(whole.channels().size(), no_channel),
        end_of_(whole.channels().size(), no_node),
        loops_(whole.loops().size(), no_loop) {
    for (node_id node = 0; node != whole.nodes().size(); ++node) {
      if (whole.nodes()[node].traits.group != group) continue;
      node_description copy = whole.nodes()[node];
      for (auto& port : copy.in) port.channels.clear();
      copy.in_whole = node;
      kept_[node] = own_.add(std::move(copy));
    }
    if (own_.nodes().empty()) throw graph_error(group, "is a group without nodes");
    keep_loops();
  }

  graph cut() {
    for (const remote_end& end : ends_) add(end);
    count_siblings();
    // In the order of the whole graph, so that a node's channels keep their order.
    for (channel_id id = 0; id != whole_.channels().size(); ++id) keep(id);
    for (node_id node = 0; node != whole_.nodes().size(); ++node) {
      if (kept_[node] == no_node) continue;
      for (auto& port : own_.nodes()[kept_[node]].out) rename(port.policy);
    }
    return std::move(own_);
  }

 private:
  // Inner loops come before the loops around them: of two loops with the same members here, the
  // later one is the outer one.
  void keep_loops() {
    const auto& all = whole_.loops();
    std::vector<loop_id> order(all.size());
    std::iota(order.begin(), order.end(), loop_id{0});
    std::ranges::stable_sort(order, {}, [&](loop_id id) { return all[id].members.size(); });
    for (const loop_id id : order) {
      loop_description copy = all[id];
      copy.members.clear();
      for (const node_id member : all[id].members) {
        if (kept_[member] != no_node) copy.members.push_back(kept_[member]);
      }
      if (copy.members.empty()) continue;
      if (copy.members.size() != all[id].members.size()) copy.part_of = id;
      loops_[id] = own_.add_loop(std::move(copy));
    }
  }

  void add(const remote_end& end) {
    const channel_description& first = whole_.channels()[end.channels.front()];
    const std::string& far = whole_.nodes()[end.sends ? first.to : first.from].path;
    node_description made;
    made.path = std::string(remote_prefix) + std::to_string(end.channels.front()) + (end.sends ? "/to" : "/from") +
                (end.channels.size() == 1 ? far : path_without_numbers(far));
    made.kind = "remote";
    if (end.sends) {
      made.in.push_back({first.type, {}, first.tag_words});
    } else {
      made.out.push_back({first.type, {}, first.tag_words});
      made.out.front().policy.rule.kind = distribution::round_robin;  // unused: it sends by channel number
    }
    made.make = [make = make_, end] { return make(end); };
    const node_id node = own_.add(std::move(made));
    for (const channel_id id : end.channels) end_of_[id] = node;
    // Items that go between members of a loop stay in the loop.
    for (const loop_id id : loops_around(whole_, first)) {
      if (loops_[id] != no_loop) own_.loops()[loops_[id]].members.push_back(node);
    }
  }

  void count_siblings() {
    siblings_.resize(whole_.channels().size());
    for (const node_description& node : whole_.nodes()) {
      for (const out_port_description& port : node.out) {
        const std::vector<channel_id> leaves = leaves_of(port.policy);
        for (const channel_id leaf : leaves) siblings_[leaf] = leaves.size();
      }
    }
  }

  void keep(channel_id id) {
    channel_description c = whole_.channels()[id];
    const node_id from = kept_[c.from];
    const node_id to = kept_[c.to];
    if (from == no_node && to == no_node) return;
    const bool is_cut = from == no_node || to == no_node;
    if (is_cut) {
      need_codec(c);
      const std::size_t sharing = std::max(siblings_[id], channels_at_full_size);
      const std::size_t less = std::max<std::size_t>(sharing / channels_that_share_all, 1);
      c.bytes = std::max(cut_channel_bytes * channels_at_full_size / sharing / less,
                         cut_channel_items_least * slots_of(*c.type, c.tag_words).size);
    }
    if (c.loop != no_loop) c.loop = loops_[c.loop];
    c.in_whole = id;
    c.from = from;
    c.to = to;
    if (to == no_node) {
      c.to = end_of_[id];
      c.to_port = 0;
    }
    if (from != no_node) {
      renamed_[id] = own_.add_channel(std::move(c));
      return;
    }
    c.from = end_of_[id];
    c.from_port = 0;
    c.addressed = false;  // the receiver sends the address word together with the item
    const node_id receiver = c.from;
    const channel_id made = own_.add_channel(std::move(c));
    policy_tree& tree = own_.nodes()[receiver].out.front().policy;
    tree.children.push_back({.rule = {}, .children = {}, .leaf = made});
  }

  void need_codec(const channel_description& c) const {
    if (c.type->codec() != nullptr) return;
    throw graph_error(whole_.nodes()[c.from].path,
                      "its channel to " + whole_.nodes()[c.to].path + " is cut, but items of type " + c.type->name() +
                          " have no codec; include weir/item/cereal.hpp, specialise weir::codec, or keep both "
                          "nodes in one group");
  }

  void rename(policy_tree& tree) const {
    if (tree.is_leaf()) tree.leaf = renamed_[tree.leaf];
    for (policy_tree& child : tree.children) rename(child);
  }

  const graph& whole_;
  const make_end& make_;
  const std::vector<remote_end> ends_;
  graph own_;
  std::vector<node_id> kept_;          // by node of the whole graph
  std::vector<channel_id> renamed_;    // by channel of the whole graph, for channels whose producers are here
  std::vector<node_id> end_of_;        // by channel of the whole graph, for cut channels: the remote end here
  std::vector<loop_id> loops_;         // by loop of the whole graph; none: the loop has no members here
  std::vector<std::size_t> siblings_;  // by channel of the whole graph: the number of channels of its out-port
};

}  // namespace

std::vector<remote_end> remote_ends(const graph& whole, const std::string& group) {
  // The channels of one remote end agree in all these properties.
  using kind = std::tuple<bool, node_id, std::uint32_t, std::size_t, std::string_view, loop_id, std::vector<loop_id>>;
  struct sharing {
    std::vector<std::size_t> ends{};
    std::size_t channels = 0;
  };
  std::map<kind, sharing> kinds;
  std::vector<remote_end> made;
  for (channel_id id = 0; id != whole.channels().size(); ++id) {
    const channel_description& c = whole.channels()[id];
    const std::string& from = whole.nodes()[c.from].traits.group;
    const std::string& to = whole.nodes()[c.to].traits.group;
    if (from == to || (from != group && to != group)) continue;
    const bool sends = from == group;
    const std::string& other = sends ? to : from;
    sharing& those = kinds[{sends, sends ? c.from : c.to, sends ? c.from_port : c.to_port, c.tag_words, other, c.loop,
                            loops_around(whole, c)}];
    const std::size_t next = those.channels++ % ends_of_port_most;
    if (next == those.ends.size()) {
      those.ends.push_back(made.size());
      made.push_back({.sends = sends, .other = other, .channels = {}});
    }
    made[those.ends[next]].channels.push_back(id);
  }
  return made;
}

std::vector<cut_channel> cut_channels(const graph& whole) {
  std::vector<cut_channel> found;
  for (channel_id id = 0; id != whole.channels().size(); ++id) {
    const channel_description& c = whole.channels()[id];
    const std::string& from = whole.nodes()[c.from].traits.group;
    const std::string& to = whole.nodes()[c.to].traits.group;
    if (from != to) found.push_back({id, from, to});
  }
  return found;
}

graph cut(const graph& whole, const std::string& group, const make_end& make) {
  return cutting(whole, group, make).cut();
}

}  // namespace weir::detail
