// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lowering.hpp"
#include "nodes.hpp"

#include <map>
#include <regex>
#include <string>

namespace ff_test {

using namespace ff;

/// How many nodes of each kind the graph of a block has, and how many channels.
inline std::string graph_of(ff_node& block) {
  const weir::graph made = detail::lowering(block, nullptr, false).graph();
  std::map<std::string, int> kinds;
  for (const weir::node_description& each : made.nodes()) {
    std::string name = each.path.substr(1);
    if (const std::size_t ordinal = name.find('.'); ordinal != std::string::npos) name.resize(ordinal);
    name = std::regex_replace(name, std::regex("[A-Za-z_]*::"), "");
    ++kinds[name];
  }
  std::string text;
  for (const auto& [name, count] : kinds) text += std::to_string(count) + " " + name + ", ";
  return text + std::to_string(made.channels().size()) + " channels";
}

/// Passes tasks on.
struct same : ff_node_t<long> {
  long* svc(long* task) override { return task; }
};
struct same_from_several : ff_minode_t<long> {
  long* svc(long* task) override { return task; }
};
struct same_to_several : ff_monode_t<long> {
  long* svc(long* task) override { return task; }
};
struct twice : ff_node_t<long> {
  long* svc(long* task) override { return *task *= 2, task; }
};

}  // namespace ff_test
