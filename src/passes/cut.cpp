// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/passes/cut.hpp"

#include "weir/graph/error.hpp"
#include "weir/graph/tag.hpp"

#include "passes/remote_port.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>
#include <system_error>

namespace weir {
namespace {

// A cut channel has room for so many bytes, so that a link is busy although what completes is known late; those of a producer with
// many consumers share what four would have.
constexpr std::size_t cut_channel_bytes = std::size_t{1} << 20;
constexpr std::size_t channels_at_full_size = 4;
constexpr std::size_t cut_channel_items_least = 64;

constexpr std::string_view remote_prefix = "/remote/";

class cutting {
 public:
  cutting(const graph& whole, const std::string& group, const std::function<std::shared_ptr<link>(channel_id)>& connect)
      : whole_(whole),
        connect_(connect),
        kept_(whole.nodes().size(), no_node),
        renamed_(whole.channels().size()),
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
    // In the order of the whole, so that a node's channels keep their numbers.
    for (channel_id id = 0; id != whole_.channels().size(); ++id) renamed_[id] = keep(id);
    for (node_id node = 0; node != whole_.nodes().size(); ++node) {
      if (kept_[node] == no_node) continue;
      for (auto& port : own_.nodes()[kept_[node]].out) rename(port.policy);
    }
    return std::move(own_);
  }

 private:
  // Inner loops before those around them: of two with the same members here, the later one is the outer one.
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

  // What goes from member to member of a loop stays in it.
  void join_loops(node_id end_of_cut, const channel_description& c) {
    for (loop_id id = 0; id != loops_.size(); ++id) {
      if (loops_[id] == no_loop) continue;
      const auto& members = whole_.loops()[id].members;
      const auto has = [&](node_id node) { return std::ranges::find(members, node) != members.end(); };
      if (has(c.from) && has(c.to)) own_.loops()[loops_[id]].members.push_back(end_of_cut);
    }
  }

  channel_id keep(channel_id id) {
    channel_description c = whole_.channels()[id];
    if (c.loop != no_loop) c.loop = loops_[c.loop];
    const node_id from = kept_[c.from];
    const node_id to = kept_[c.to];
    if (from == no_node && to == no_node) return no_channel;
    if (from == no_node || to == no_node) {
      const std::string& sender = whole_.nodes()[c.from].path;
      const std::string& receiver = whole_.nodes()[c.to].path;
      if (c.type->encode == nullptr || c.type->decode == nullptr) {
        throw graph_error(sender,
                          "its channel to " + receiver + " is cut, but items of type " + c.type->name() +
                              " have no codec; include weir/item/cereal.hpp, specialise weir::codec, or keep both "
                              "nodes in one group");
      }
    }
    c.from = from;
    c.to = to;
    if (from == no_node || to == no_node) {
      const std::size_t sharing = std::max(siblings(id), channels_at_full_size);
      c.bytes = std::max(cut_channel_bytes * channels_at_full_size / sharing,
                         cut_channel_items_least * slots_of(*c.type, c.words).size);
    }
    if (from == no_node) {
      node_description receiver = remote(id, "from");
      receiver.out.push_back({c.type, {}, c.words});
      receiver.make = [connect = connect_, id] { return std::make_unique<remote_receiver>(connect(id)); };
      c.from = own_.add(std::move(receiver));
      join_loops(c.from, whole_.channels()[id]);
      c.from_port = 0;
      c.addressed = false;  // the receiver sends what came, that word among it
      const channel_id made = own_.add_channel(c);
      own_.nodes()[c.from].out[0].policy.leaf = made;
      return made;
    }
    if (to == no_node) {
      node_description sender = remote(id, "to");
      sender.in.push_back({c.type, {}, c.words});
      sender.make = [connect = connect_, id] { return std::make_unique<remote_sender>(connect(id)); };
      c.to = own_.add(std::move(sender));
      join_loops(c.to, whole_.channels()[id]);
      c.to_port = 0;
    }
    return own_.add_channel(c);
  }

  // How many channels the out-port has from which this one comes.
  std::size_t siblings(channel_id id) const {
    const channel_description& c = whole_.channels()[id];
    return leaves_of(whole_.nodes()[c.from].out[c.from_port].policy).size();
  }

  node_description remote(channel_id id, const char* direction) const {
    const channel_description& c = whole_.channels()[id];
    const bool from = direction == std::string_view("from");
    const std::string& other = whole_.nodes()[from ? c.from : c.to].path;
    node_description made;
    made.path = from ? std::string(remote_prefix) + std::to_string(id) + "/from" + other : remote_end_path(id, other);
    made.kind = "remote";
    return made;
  }

  void rename(policy_tree& tree) const {
    if (tree.is_leaf()) tree.leaf = renamed_[tree.leaf];
    for (policy_tree& child : tree.children) rename(child);
  }

  const graph& whole_;
  const std::function<std::shared_ptr<link>(channel_id)>& connect_;
  graph own_;
  std::vector<node_id> kept_;        // by node of the whole
  std::vector<channel_id> renamed_;  // by channel of the whole
  std::vector<loop_id> loops_;       // by loop of the whole; none: it has no members here
};

}  // namespace

std::string remote_end_path(channel_id id, const std::string& path) {
  return std::string(remote_prefix) + std::to_string(id) + "/to" + path;
}

std::optional<far_end> far_end_of(std::string_view path) {
  if (!path.starts_with(remote_prefix)) return std::nullopt;
  path.remove_prefix(remote_prefix.size());
  far_end made{};
  const char* const end = path.data() + path.size();
  const auto [stopped, problem] = std::from_chars(path.data(), end, made.channel);
  if (problem != std::errc() || stopped == end || *stopped != '/') return std::nullopt;
  const std::size_t far = path.find('/', static_cast<std::size_t>(stopped - path.data()) + 1);  // behind "from" or "to"
  if (far == std::string_view::npos) return std::nullopt;
  made.path = path.substr(far);
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

graph cut(const graph& whole, const std::string& group,
          const std::function<std::shared_ptr<link>(channel_id)>& connect) {
  return cutting(whole, group, connect).cut();
}

}  // namespace weir
