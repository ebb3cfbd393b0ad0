// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/merge_reports.hpp"

#include "weir/passes/cut.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace weir::cluster {

report report_from_json(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  const auto duration = [](const nlohmann::json& from, const char* key) {
    return std::chrono::nanoseconds(from.at(key).get<std::int64_t>());
  };
  report made;
  made.wall = duration(json, "wall_ns");
  made.cpu = duration(json, "cpu_ns");
  made.workers = json.at("workers");
  made.ended = json.at("ended");
  for (const auto& from : json.at("nodes")) {
    node_report& node = made.nodes.emplace_back();
    node.path = from.at("path");
    node.kind = from.at("kind");
    node.items = from.at("items");
    node.sent = from.at("sent");
    node.steps = from.at("steps");
    node.busy = duration(from, "busy_ns");
    node.ready = duration(from, "ready_ns");
    node.waiting_input = duration(from, "waiting_input_ns");
    node.waiting_room = duration(from, "waiting_room_ns");
    node.runs_with = from.value("runs_with", "");
  }
  for (const auto& from : json.at("channels")) {
    channel_report& channel = made.channels.emplace_back();
    channel.from = from.at("from");
    channel.to = from.at("to");
    channel.items = from.at("items");
    channel.capacity = from.at("capacity");
    channel.waiting = from.at("waiting");
    channel.room = from.at("room");
    channel.fill = from.at("fill");
  }
  return made;
}

report merge_reports(const graph& whole, const std::vector<report>& parts) {
  report made;
  std::unordered_map<std::string, const node_report*> nodes;
  std::unordered_multimap<std::string, const channel_report*> channels;  // by where they begin
  for (const report& part : parts) {
    made.wall = std::max(made.wall, part.wall);
    made.cpu += part.cpu;
    made.workers += part.workers;
    made.ended = made.ended && part.ended;
    for (const node_report& each : part.nodes) nodes.emplace(each.path, &each);
    for (const channel_report& each : part.channels) channels.emplace(each.from, &each);
  }
  // What the program has not written is left out: an item that goes through a relay came from the relay's producer.
  const auto author_of = [&](node_id node) {
    const node_id producer = whole.nodes()[node].relays_for;
    return producer == no_node ? node : producer;
  };
  for (const node_description& node : whole.nodes()) {
    if (node.relays_for != no_node) break;  // relays come last
    const auto found = nodes.find(node.path);
    made.nodes.push_back(found != nodes.end() ? *found->second : node_report{.path = node.path, .kind = node.kind});
  }
  for (channel_id id = 0; id != whole.channels().size(); ++id) {
    const channel_description& c = whole.channels()[id];
    const std::string& from = whole.nodes()[c.from].path;
    const std::string& to = whole.nodes()[c.to].path;
    if (whole.nodes()[c.to].relays_for != no_node) break;  // as do the channels to them
    channel_report& channel = made.channels.emplace_back();
    const auto [first, last] = channels.equal_range(from);
    for (auto each = first; each != last; ++each) {
      const std::string& end = each->second->to;
      if (end == to || end == remote_end_path(id, to)) channel = *each->second;
    }
    channel.from = whole.nodes()[author_of(c.from)].path;
    channel.to = to;
  }
  std::vector<std::uint64_t> sent(made.nodes.size(), 0);
  for (channel_id id = 0; id != made.channels.size(); ++id) {
    sent[author_of(whole.channels()[id].from)] += made.channels[id].items;
  }
  for (const node_description& node : whole.nodes()) {
    if (node.relays_for != no_node) made.nodes[node.relays_for].sent = sent[node.relays_for];
  }
  return made;
}

}  // namespace weir::cluster
