// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/passes/tuning.hpp"

#include "weir/detail/passes/fuse.hpp"
#include "weir/graph/error.hpp"

#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace weir {
namespace {

using nlohmann::ordered_json;

// Returns whether `path` names the node. A path without numbers names each worker.
bool is_at(const node_description& node, const std::string& path) {
  return node.path == path || path_without_numbers(node.path) == path;
}

void set_capacity(graph& g, const tuning::capacity& wanted) {
  if (wanted.items == 0) throw graph_error(wanted.from, "has no room in channels of 0 items; tune it to at least 1");
  bool found = false;
  for (channel_description& c : g.channels()) {
    if (!is_at(std::as_const(g).nodes()[c.from], wanted.from) || !is_at(std::as_const(g).nodes()[c.to], wanted.to))
      continue;
    found = true;
    if (!c.unbounded) c.capacity = wanted.items;
  }
  if (!found) {
    throw graph_error(wanted.from, "has no channel to " + wanted.to + ", which is to be tuned; tune this program anew");
  }
}

std::size_t width_of(const graph& g, const std::string& farm) {
  for (const node_description& node : g.nodes()) {
    if (node.path != farm && farm_of(node) == farm) return node.width;
  }
  throw graph_error(farm, "is not a farm of this graph, but is to be tuned; tune this program anew");
}

std::string workers(const std::string& farm, std::size_t width) {
  return width == 1 ? farm + "[0]" : farm + "[0-" + std::to_string(width - 1) + "]";
}

std::string joined(const std::vector<std::string>& paths, const char* between) {
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : between) + path;
  return text;
}

// Adds an empty member if there is none. Valid until the next call.
const ordered_json& member(ordered_json& of, const char* key, ordered_json::value_t type, const std::string& name) {
  const ordered_json& found = *of.emplace(key, type).first;
  if (found.type() != type) {
    throw graph_error(name, std::string("has a \"") + key + "\" that is not " +
                                (type == ordered_json::value_t::array ? "a list" : "an object") +
                                "; write it with weir tune");
  }
  return found;
}

}  // namespace

std::string farm_of(const node_description& node) {
  const std::size_t bracket = node.path.rfind('[');
  return bracket == std::string::npos ? node.path : node.path.substr(0, bracket);
}

graph tuned(const graph& g, const tuning& how) {
  graph made = g;
  for (const tuning::capacity& each : how.capacities) set_capacity(made, each);
  if (how.fused.empty()) return made;
  std::set<std::pair<std::string, std::string>> pairs;
  for (const auto& chain : how.fused) {
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) pairs.emplace(chain[i], chain[i + 1]);
    for (const std::string& path : chain) made.find(path);  // throws if there is no such node
  }
  made = detail::fuse_neighbours(made, [&](const node_description& from, const node_description& to) {
    return pairs.contains({from.path, to.path});
  });
  for (const channel_description& c : std::as_const(made).channels()) {
    if (leads_on_in_chain(made, c))
      pairs.erase({std::as_const(made).nodes()[c.from].path, std::as_const(made).nodes()[c.to].path});
  }
  if (!pairs.empty()) {
    throw graph_error(pairs.begin()->first,
                      "can't be fused with " + pairs.begin()->second + ", as its tuning says; tune this program anew");
  }
  return made;
}

std::string to_json(const tuning& how, int indent) {
  ordered_json made = ordered_json::object();
  if (!how.network.empty()) made["network"] = how.network;
  if (!how.widths.empty()) {
    for (const auto& [farm, width] : how.widths) made["widths"][farm] = width;
  }
  if (!how.fused.empty()) made["fused"] = how.fused;
  for (const tuning::capacity& each : how.capacities) {
    made["capacities"].push_back({{"from", each.from}, {"to", each.to}, {"items", each.items}});
  }
  return detail::text_of(made, indent);
}

tuning tuning_from_json(std::string_view text, const std::string& name) {
  try {
    ordered_json all = detail::parse_ordered_json(text);
    if (!all.is_object()) throw graph_error(name, "is not a tuning, which is a JSON object; write it with weir tune");
    for (const auto& [key, value] : all.items()) {
      if (key != "network" && key != "widths" && key != "fused" && key != "capacities") {
        throw graph_error(name, "has an unknown key \"" + key +
                                    "\"; there are \"network\", \"widths\", \"fused\" and \"capacities\"");
      }
    }
    tuning made;
    made.network = all.value("network", "");
    for (const auto& [farm, width] : member(all, "widths", ordered_json::value_t::object, name).items()) {
      if (!width.is_number_unsigned() || width == 0U) {
        throw graph_error(name, "has a width of " + farm + " that is not a number of at least 1");
      }
      detail::check_width(name + ": " + farm, width.get<std::size_t>());
      made.widths.emplace(farm, width.get<std::size_t>());
    }
    made.fused = member(all, "fused", ordered_json::value_t::array, name).get<std::vector<std::vector<std::string>>>();
    for (const ordered_json& each : member(all, "capacities", ordered_json::value_t::array, name)) {
      for (const auto& [key, value] : each.items()) {
        if (key == "from" || key == "to" || key == "items") continue;
        throw graph_error(name, "has a capacity with an unknown key \"" + key + "\"");
      }
      if (!each.at("items").is_number_unsigned())
        throw graph_error(name, "has a capacity that is not a number of items");
      made.capacities.push_back({each.at("from"), each.at("to"), each.at("items").get<std::size_t>()});
    }
    return made;
  } catch (const nlohmann::json::exception& wrong) {
    const std::string what = wrong.what();
    const std::size_t end_of_code = what.find("] ");
    throw graph_error(name,
                      "is not a tuning: " + (end_of_code == std::string::npos ? what : what.substr(end_of_code + 2)) +
                          "; write it with weir tune");
  }
}

std::string difference(const graph& g, const tuning& how) {
  std::string text;
  const auto change = [&](const std::string& before, const std::string& after) {
    if (before != after) text += "- " + before + "\n+ " + after + "\n";
  };
  for (const auto& [farm, width] : how.widths) {
    change(workers(farm, width_of(g, farm)), workers(farm, width));
  }
  for (const auto& chain : how.fused) change(joined(chain, " | "), joined(chain, " + "));
  for (const tuning::capacity& each : how.capacities) {
    const std::string join = each.from + " -> " + each.to + ": ";
    std::size_t before = 0;
    for (const channel_description& c : g.channels()) {
      if (is_at(g.nodes()[c.from], each.from) && is_at(g.nodes()[c.to], each.to)) before = c.capacity;
    }
    change(join + (before == 0 ? "as many items as fit in 32 KiB" : std::to_string(before) + " items"),
           join + std::to_string(each.items) + " items");
  }
  return text;
}

}  // namespace weir
