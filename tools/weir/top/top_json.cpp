// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/top_formats.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace {

using json = nlohmann::ordered_json;

// Rounds a share or a rate to a useful number of digits.
double rounded(double value) { return std::round(value * 1e4) / 1e4; }

json queue_of(const queue_view& queue) {
  return {{"waiting", queue.waiting}, {"room", queue.room}, {"fill", rounded(queue.fill())}};
}

// Nodes of a cluster also have a group.
json node_of(const weir::node_report& total, const node_view& view) {
  json made = {{"path", total.path},
               {"kind", total.kind},
               {"items", total.items},
               {"sent", total.sent},
               {"steps", total.steps},
               {"busy_ns", total.busy.count()},
               {"ready_ns", total.ready.count()},
               {"waiting_input_ns", total.waiting_input.count()},
               {"waiting_room_ns", total.waiting_room.count()},
               {"items_per_second", rounded(view.items_per_second)},
               {"busy", rounded(view.busy)},
               {"ready", rounded(view.ready)},
               {"waiting_input", rounded(view.waiting_input)},
               {"waiting_room", rounded(view.waiting_room)}};
  made["queue"] = view.before ? queue_of(*view.before) : json(nullptr);
  made["inputs"] = json::array();
  for (const input_view& input : view.inputs) {
    json its = {{"from", input.from}};
    its.update(queue_of(input.queue));
    made["inputs"].push_back(std::move(its));
  }
  made["bottleneck"] = view.bottleneck;
  if (!view.group.empty()) made["group"] = view.group;
  return made;
}

// Returns null for a node without a stack.
json stack_of(const std::vector<node_stack>& stacks, std::uint64_t run, const std::string& path) {
  const auto its =
      std::ranges::find_if(stacks, [&](const node_stack& each) { return each.run == run && each.path == path; });
  if (its == stacks.end()) return nullptr;
  json frames = json::array();
  for (const stack_frame& each : its->stack.frames) {
    json frame = {{"function", each.function}, {"module", each.module}};
    if (!each.file.empty()) frame.update({{"file", each.file}, {"line", each.line}});
    frames.push_back(std::move(frame));
  }
  json made = {{"thread", its->thread}, {"in_own_code_ns", its->in_own_code.count()}, {"frames", std::move(frames)}};
  if (!its->stack.problem.empty()) made["problem"] = its->stack.problem;
  return made;
}

}  // namespace

json document_of(const live_sample& sample, const std::vector<run_view>& views,
                 const std::optional<std::vector<node_stack>>& stacks) {
  json made = {{"pid", sample.pid},       {"program", sample.program},
               {"cores", sample.cores},   {"cpu_ns", sample.cpu.count()},
               {"silent", sample.silent}, {"runs", json::array()}};
  for (std::size_t i = 0; i != views.size(); ++i) {
    const weir::report& total = sample.runs[i].report;
    const run_view& view = views[i];
    json run = {{"run", view.number},
                {"ended", view.ended},
                {"wall_ns", total.wall.count()},
                {"cpu_ns", total.cpu.count()},
                {"workers", view.workers},
                {"over_ns", view.over.count()},
                {"cores_used", rounded(view.cores)},
                {"bottleneck", view.bottleneck},
                {"nodes", json::array()},
                {"channels", json::array()}};
    for (std::size_t n = 0; n != total.nodes.size(); ++n) {
      json node = node_of(total.nodes[n], view.nodes[n]);
      if (stacks) node["stack"] = stack_of(*stacks, view.number, total.nodes[n].path);
      run["nodes"].push_back(std::move(node));
    }
    for (const weir::channel_report& channel : total.channels) {
      run["channels"].push_back({{"from", channel.from},
                                 {"to", channel.to},
                                 {"input", channel.input},
                                 {"items", channel.items},
                                 {"capacity", channel.capacity},
                                 {"waiting", channel.waiting},
                                 {"room", channel.room},
                                 {"fill", rounded(channel.fill)}});
    }
    made["runs"].push_back(std::move(run));
  }
  return made;
}

std::string to_json(const live_sample& sample, const std::vector<run_view>& views,
                    const std::optional<std::vector<node_stack>>& stacks) {
  return document_of(sample, views, stacks).dump(2) + "\n";
}
