// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/serve/server.hpp"

#include "weir/detail/graph/network_state.hpp"
#include "weir/graph/error.hpp"

#include <algorithm>
#include <utility>

namespace weir::detail {
namespace {

bool broadcasts(const policy_tree& tree) {
  if (tree.rule.kind == distribution::broadcast && tree.children.size() > 1) return true;
  return std::any_of(tree.children.begin(), tree.children.end(), broadcasts);
}

void check_one_for_one(const node_description& node) {
  if (!node.one_for_one) {
    throw graph_error(
        node.path,
        "may send none or several items for one, so that a request has no one reply; use a node In -> Out, "
        "or start the block instead of serving it");
  }
  for (const out_port_description& port : node.out) {
    if (broadcasts(port.policy)) {
      throw graph_error(
          node.path,
          "sends copies of an item to several nodes, so that a request has several replies; don't broadcast");
    }
  }
}

}  // namespace

network request_network(const shape_pointer& whole, std::shared_ptr<requests> all,
                        std::shared_ptr<continuations> after) {
  return network(new network_state(
      [whole, all = std::move(all), after = std::move(after)](std::size_t cores, const farm_widths& widths) {
        graph g = build_graph(whole, cores, widths);
        for (node_description& node : g.nodes()) {
          check_one_for_one(node);
          node.failures = all;
          for (in_port_description& port : node.in) ++port.tag_words;
          for (out_port_description& port : node.out) ++port.tag_words;
        }
        for (channel_description& each : g.channels()) ++each.tag_words;
        node_description resume;
        resume.path = "/resume";
        resume.kind = "resume";
        resume.make = [after] { return std::make_unique<resumption>(after); };
        g.add(std::move(resume));
        return g;
      }));
}

}  // namespace weir::detail
