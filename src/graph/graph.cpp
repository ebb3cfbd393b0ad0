// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/graph.hpp"

#include "weir/graph/error.hpp"

#include "graph/control_characters.hpp"
#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

namespace weir {

std::string graph::free_path(const std::string& wanted) const {
  if (!by_path_.contains(wanted)) return wanted;
  for (std::size_t ordinal = 2;; ++ordinal) {
    std::string path = wanted + "." + std::to_string(ordinal);
    if (!by_path_.contains(path)) return path;
  }
}

node_id graph::add(node_description node) {
  const auto id = static_cast<node_id>(nodes_.size());
  if (node.kind.empty()) node.kind = "node";
  if (node.path.empty()) node.path = "/" + node.kind + std::to_string(id + 1);
  if (node.path.front() != '/') node.path.insert(0, "/");
  if (nodes_.size() == nodes_most) {
    throw graph_error(node.path,
                      "is too much: a network has at most " + std::to_string(nodes_most) + " nodes; make it smaller");
  }
  if (detail::has_control(node.path)) {
    throw graph_error(detail::printable(node.path), "a path has no control characters; use others");
  }
  node.path = free_path(node.path);
  ++revision_;
  by_path_.emplace(node.path, id);
  nodes_.push_back(std::move(node));
  return id;
}

channel_id graph::add_channel(channel_description description) {
  if (description.from >= nodes_.size() || description.from_port >= nodes_[description.from].out.size()) {
    throw graph_error(description.from < nodes_.size() ? nodes_[description.from].path : "graph",
                      "has no out-port " + std::to_string(description.from_port) + " to connect");
  }
  if (description.to >= nodes_.size() || description.to_port >= nodes_[description.to].in.size()) {
    throw graph_error(description.to < nodes_.size() ? nodes_[description.to].path : "graph",
                      "has no in-port " + std::to_string(description.to_port) + " to connect");
  }
  const out_port_description& from = nodes_[description.from].out[description.from_port];
  const item_type& sent = *from.type;
  in_port_description& to = nodes_[description.to].in[description.to_port];
  if (!same_item_type(sent, *to.type)) {
    throw graph_error(nodes_[description.to].path, "takes items of type " + to.type->name() + ", but " +
                                                       nodes_[description.from].path + " sends " + sent.name() +
                                                       "; put a node between them that converts");
  }
  const std::size_t tag_words = from.tag_words + (description.addressed ? 1 : 0);
  if (tag_words != to.tag_words) {
    throw graph_error(nodes_[description.to].path, "takes tags of " + std::to_string(to.tag_words) + " words, but " +
                                                       nodes_[description.from].path + " sends tags of " +
                                                       std::to_string(tag_words) +
                                                       "; an ordered block has one way in and one out");
  }
  if (channels_.size() == channels_most) {
    throw graph_error(nodes_[description.to].path, "has a channel too much: a network has at most " +
                                                       std::to_string(channels_most) + "; make it smaller");
  }
  ++revision_;
  const auto id = static_cast<channel_id>(channels_.size());
  description.type = &sent;
  description.tag_words = tag_words;
  channels_.push_back(description);
  to.channels.push_back(id);
  return id;
}

channel_id graph::connect(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port,
                          std::size_t capacity) {
  const channel_id id = add_channel({from, from_port, to, to_port, nullptr, capacity, false});
  policy_tree leaf;
  leaf.leaf = id;
  nodes_[from].out[from_port].policy.children.push_back(std::move(leaf));
  return id;
}

channel_id graph::connect_unbounded(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port) {
  const channel_id id = connect(from, from_port, to, to_port);
  channels_[id].unbounded = true;
  return id;
}

loop_id graph::add_loop(loop_description description) {
  loops_.push_back(std::move(description));
  return static_cast<loop_id>(loops_.size() - 1);
}

channel_id graph::connect_back(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port,
                               loop_id around) {
  const channel_id id = connect_unbounded(from, from_port, to, to_port);
  channels_[id].loop = around;
  return id;
}

void graph::set_policy(node_id node, std::uint32_t port, policy rule) {
  if (node >= nodes_.size() || port >= nodes_[node].out.size()) {
    throw graph_error(node < nodes_.size() ? nodes_[node].path : "graph",
                      "has no out-port " + std::to_string(port) + " to set a policy on");
  }
  ++revision_;
  nodes_[node].out[port].policy.rule = std::move(rule);
}

node_id graph::find(std::string_view path) const {
  const auto found = by_path_.find(std::string(path));
  if (found == by_path_.end()) throw graph_error(std::string(path), "is not a node of this graph");
  return found->second;
}

std::string path_without_numbers(std::string_view path) {
  std::string made;
  bool inside = false;
  for (const char c : path) {
    if (c == '[') inside = true;
    if (!inside) made += c;
    if (c == ']') inside = false;
  }
  return made;
}

std::vector<channel_id> leaves_of(const policy_tree& tree) {
  std::vector<channel_id> leaves;
  const auto walk = [&](auto& self, const policy_tree& at) -> void {
    if (at.is_leaf()) leaves.push_back(at.leaf);
    for (const policy_tree& child : at.children) self(self, child);
  };
  walk(walk, tree);
  return leaves;
}

std::string to_string(const policy_tree& tree) {
  if (tree.is_leaf()) return "1";
  std::string text(name_of(tree.rule.kind));
  if (tree.rule.kind == distribution::on_demand) text += std::to_string(tree.rule.depth);
  text += '(';
  bool flat = true;
  for (const policy_tree& child : tree.children) flat = flat && child.is_leaf();
  if (flat) return text + std::to_string(tree.children.size()) + ")";
  for (std::size_t i = 0; i != tree.children.size(); ++i) text += (i == 0 ? "" : ", ") + to_string(tree.children[i]);
  return text + ")";
}

bool leads_on_in_chain(const graph& g, const channel_description& c) noexcept {
  const chain_id chain = g.nodes()[c.from].chain;
  return chain != no_chain && chain == g.nodes()[c.to].chain && c.loop == no_loop;
}

namespace {

nlohmann::ordered_json policy_json(const policy_tree& tree) {
  nlohmann::ordered_json made;
  if (tree.is_leaf()) {
    made["channel"] = tree.leaf;
    return made;
  }
  made["distribution"] = name_of(tree.rule.kind);
  if (tree.rule.kind == distribution::on_demand) made["depth"] = tree.rule.depth;
  made["to"] = nlohmann::ordered_json::array();
  for (const policy_tree& child : tree.children) made["to"].push_back(policy_json(child));
  return made;
}

}  // namespace

std::string to_json(const graph& g, int indent) {
  nlohmann::ordered_json json;
  json["nodes"] = nlohmann::ordered_json::array();
  for (const node_description& node : g.nodes()) {
    nlohmann::ordered_json entry{{"path", node.path}, {"kind", node.kind}};
    if (node.width > 1) entry["index"] = node.index, entry["width"] = node.width;
    if (!node.traits.group.empty()) entry["group"] = node.traits.group;
    if (node.traits.on_own_thread) entry["on_own_thread"] = true;
    if (node.traits.blocking) entry["blocking"] = true;
    if (node.traits.separate) entry["separate"] = true;
    if (node.core >= 0) entry["core"] = node.core;
    for (const auto& port : node.in) entry["in"].push_back({{"type", port.type->name()}, {"channels", port.channels}});
    for (const auto& port : node.out) {
      entry["out"].push_back({{"type", port.type->name()}, {"policy", policy_json(port.policy)}});
    }
    json["nodes"].push_back(std::move(entry));
  }
  json["channels"] = nlohmann::ordered_json::array();
  for (std::size_t id = 0; id != g.channels().size(); ++id) {
    const channel_description& c = g.channels()[id];
    nlohmann::ordered_json entry{{"id", id},
                                 {"from", g.nodes()[c.from].path},
                                 {"from_port", c.from_port},
                                 {"to", g.nodes()[c.to].path},
                                 {"to_port", c.to_port},
                                 {"type", c.type->name()}};
    if (c.unbounded) entry["unbounded"] = true;
    if (c.capacity != 0) entry["capacity"] = c.capacity;
    if (c.tag_words != 0) entry["tag_words"] = c.tag_words;
    if (c.loop != no_loop) entry["loop"] = g.loops()[c.loop].path;
    if (leads_on_in_chain(g, c)) entry["fused"] = true;
    json["channels"].push_back(std::move(entry));
  }
  return detail::text_of(json, indent);
}

}  // namespace weir
