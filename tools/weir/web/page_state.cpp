// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "web/page_state.hpp"

#include "top/top_formats.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using json = nlohmann::ordered_json;

json box_of(const node_view& box, const std::vector<std::size_t>& numbers) {
  json made = {
      {"path", box.path},
      {"kind", box.kind},
      {"group", box.group},
      {"items", box.items},
      {"items_per_second", box.items_per_second},
      {"seconds_per_item", box.seconds_per_item},
      {"busy", box.busy},
      {"busy_least", box.busy_least},
      {"busy_most", box.busy_most},
      {"ready", box.ready},
      {"waiting_input", box.waiting_input},
      {"waiting_room", box.waiting_room},
      {"bottleneck", box.bottleneck},
      {"queue", box.before ? json{{"waiting", box.before->waiting}, {"room", box.before->room}} : json(nullptr)},
      {"members", json::array()}};
  for (const std::size_t member : box.members) made["members"].push_back(numbers[member]);
  return made;
}

// Returns the boxes of a run in the order of their first nodes, group by group.
json boxes_of(const run_view& run) {
  struct part {
    run_view nodes;
    std::vector<std::size_t> numbers;  // of the nodes, in the whole run
  };
  std::vector<part> parts;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i != run.nodes.size(); ++i) {
    const auto [at, is_new] = known.try_emplace(run.nodes[i].group, parts.size());
    if (is_new) parts.emplace_back();
    parts[at->second].nodes.nodes.push_back(run.nodes[i]);
    parts[at->second].numbers.push_back(i);
  }
  json made = json::array();
  for (const part& each : parts) {
    for (const node_view& box : folded(each.nodes).nodes) made.push_back(box_of(box, each.numbers));
  }
  return made;
}

// Returns the channels between each two boxes together.
json edges_of(const weir::report& report, const json& boxes) {
  std::unordered_map<std::string, std::size_t> box_of_node;
  for (std::size_t box = 0; box != boxes.size(); ++box) {
    for (const json& member : boxes[box]["members"]) {
      box_of_node.emplace(report.nodes[member.get<std::size_t>()].path, box);
    }
  }
  struct edge {
    queue_view queue;
    bool has_limit = true;
  };
  std::map<std::pair<std::size_t, std::size_t>, edge> edges;
  for (const weir::channel_report& channel : report.channels) {
    const auto from = box_of_node.find(channel.from);
    const auto to = box_of_node.find(channel.to);
    if (from == box_of_node.end() || to == box_of_node.end()) continue;
    edge& its = edges[{from->second, to->second}];
    its.queue.waiting += channel.waiting;
    its.queue.room += channel.room;
    its.has_limit = its.has_limit && channel.room != 0;
  }
  json made = json::array();
  for (const auto& [ends, its] : edges) {
    made.push_back({{"from", ends.first},
                    {"to", ends.second},
                    {"waiting", its.queue.waiting},
                    {"room", its.has_limit ? its.queue.room : 0}});
  }
  return made;
}

}  // namespace

std::string to_json(const page_state& state, const live_sample* sample) {
  const top_content& content = state.content;
  json made = sample == nullptr ? json{{"pid", content.pid}, {"program", content.program}, {"runs", json::array()}}
                                : document_of(*sample, content.runs, std::nullopt);
  for (std::size_t i = 0; i != made["runs"].size(); ++i) {
    json& run = made["runs"][i];
    run["in"] = content.runs[i].in;
    run["out"] = content.runs[i].out;
    run["boxes"] = boxes_of(content.runs[i]);
    run["edges"] = edges_of(sample->runs[i].report, run["boxes"]);
    // Between two farms of 64 workers there are 4096 channels, and each worker has 64 of them.
    run.erase("channels");
    for (json& node : run["nodes"]) node.erase("inputs");
  }
  made["number"] = state.number;
  made["last"] = state.last;
  made["notice"] = state.notice;
  made["state"] = content.state;
  made["cores_used"] = content.cores_used;
  made["interval_ms"] = state.interval.count();
  return made.dump();
}
