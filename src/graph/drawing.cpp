// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/graph/dot.hpp"

#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <unordered_map>

namespace weir::detail {
namespace {

using nlohmann::json;

// Sets the policy of each channel to the rules that lead to it, from the outermost to the
// innermost. Rules that leave no choice are omitted.
void name_policies(const json& tree, const std::string& above, std::vector<drawing::channel>& channels) {
  if (tree.contains("channel")) {
    channels.at(tree["channel"].get<std::size_t>()).policy = above;
    return;
  }
  const json& to = tree.at("to");
  std::string rule = above;
  if (to.size() > 1) {
    rule += (above.empty() ? "" : " > ") + tree.at("distribution").get<std::string>();
    if (tree.contains("depth")) rule += "(" + std::to_string(tree["depth"].get<std::size_t>()) + ")";
  }
  for (const json& child : to) name_policies(child, rule, channels);
}

}  // namespace

drawing drawing_of_json(std::string_view text) try {
  const json graph = parse_json(text);
  drawing d;
  std::unordered_map<std::string, std::size_t> by_path;
  for (const json& node : graph.at("nodes")) {
    d.nodes.push_back({node.at("path"), node.at("kind"), node.value("group", ""), node.value("width", std::size_t{1})});
    by_path.emplace(d.nodes.back().path, by_path.size());
  }
  for (const json& c : graph.at("channels")) {
    d.channels.push_back({by_path.at(c.at("from")), c.at("from_port"), by_path.at(c.at("to")), c.at("to_port"),
                          c.at("type"), "", c.value("unbounded", false)});
    d.channels.back().loop = c.value("loop", "");
    if (c.contains("capacity")) {
      d.channels.back().note = "capacity " + std::to_string(c["capacity"].get<std::size_t>());
    }
  }
  for (const json& node : graph.at("nodes")) {
    if (!node.contains("out")) continue;
    for (const json& port : node["out"]) name_policies(port.at("policy"), "", d.channels);
  }
  for (std::size_t i = 0; i != d.channels.size(); ++i) {
    if (graph["channels"][i].value("fused", false)) d.channels[i].policy = "fused";
  }
  return d;
} catch (const std::exception& problem) {
  throw std::invalid_argument(problem.what());
}

}  // namespace weir::detail
