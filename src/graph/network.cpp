// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/network.hpp"

#include "weir/graph/error.hpp"

#include <stdexcept>
#include <unordered_map>

namespace weir {
namespace {

// For a message: what a node takes and sends.
std::string to_text(const item_type* takes, const item_type* sends) {
  const std::string in = takes == nullptr ? "takes nothing" : "takes " + takes->name;
  return in + " and " + (sends == nullptr ? "sends nothing" : "sends " + sends->name);
}

template <class Ports>
const item_type* only_type(const Ports& ports) {
  return ports.empty() ? nullptr : ports.front().type;
}

bool same(const item_type* a, const item_type* b) {
  return a == nullptr || b == nullptr ? a == b : same_item_type(*a, *b);
}

}  // namespace

graph& network::resolve(std::size_t cores) {
  if (!graph_) {
    graph_ = build_(cores, widths_);
    cores_ = cores;
  }
  behaviours_.resize(std::as_const(*graph_).nodes().size());
  return *graph_;
}

behaviour& network::instance(node_id node) {
  const auto& nodes = std::as_const(*graph_).nodes();
  behaviours_.resize(nodes.size());
  auto& slot = behaviours_[node];
  if (slot == nullptr) slot = nodes[node].make();
  return *slot;
}

void network::replace(std::string_view path, std::unique_ptr<behaviour> with) {
  if (!graph_) throw std::logic_error("replace: the network's graph has not been resolved yet; run it first");
  const node_id node = graph_->find(path);
  behaviours_.resize(std::as_const(*graph_).nodes().size());
  behaviours_[node] = std::move(with);
}

void network::replace(std::string_view path, std::unique_ptr<behaviour> with, const item_type* takes,
                      const item_type* sends) {
  if (graph_) {
    const node_description& node = std::as_const(*graph_).nodes()[graph_->find(path)];
    if (node.in.size() > 1 || node.out.size() > 1) {
      throw graph_error(node.path, "has several in-ports or out-ports; replace it by a behaviour");
    }
    if (!same(only_type(node.in), takes) || !same(only_type(node.out), sends)) {
      throw graph_error(node.path, to_text(only_type(node.in), only_type(node.out)) + ", but its replacement " +
                                       to_text(takes, sends) + "; give it a node of the same types");
    }
  }
  replace(path, std::move(with));
}

void network::set_width(std::string_view path, std::size_t width) {
  if (width == 0) throw graph_error(std::string(path), "a farm of width 0 would do nothing; use at least 1");
  if (!build_) throw graph_error(std::string(path), "is not a farm: this network was made from a graph; change that");
  farm_widths widths = widths_;
  widths.insert_or_assign(std::string(path), width);
  if (graph_) {
    graph made = build_(cores_, widths);
    const auto& before = std::as_const(*graph_).nodes();
    const auto& after = std::as_const(made).nodes();
    std::unordered_map<std::string_view, node_id> by_path;
    for (node_id id = 0; id != before.size(); ++id) by_path.emplace(before[id].path, id);
    std::vector<std::unique_ptr<behaviour>> behaviours(after.size());
    behaviours_.resize(before.size());
    for (node_id id = 0; id != after.size(); ++id) {
      const auto found = by_path.find(after[id].path);
      if (found != by_path.end()) behaviours[id] = std::move(behaviours_[found->second]);
    }
    kept_.reset();
    behaviours_ = std::move(behaviours);
    graph_ = std::move(made);
  }
  widths_ = std::move(widths);
}

}  // namespace weir
