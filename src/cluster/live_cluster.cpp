// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Control messages (see coordinator.cpp):
//
//   {"say": "sample", "number": N}                  to a group
//   {"say": "sampled", "number": N, "cpu_ns": T, "run": R, "part": P}     from a group; N is 0 where nobody has asked: run R has ended.
//                                                   R is 0, and P null, before the first run
//   P = {"wall_ns", "cpu_ns", "workers", "ended", "nodes": [node, …], "channels": [channel, …]} as in to_json(report), with
//       the "number" of each in the whole graph; channels of this group's producers
//
// To those who watch, as live_runs::document, and
//
//   "groups": [{"name", "answers"}]    whether it has answered in time
//   each node has a "group"
#include "cluster/live_cluster.hpp"

#include "weir/passes/cut.hpp"

#include "cluster/merge_reports.hpp"
#include "cluster/message.hpp"
#include "graph/json_text.hpp"
#include "run/live_runs.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <limits>
#include <string_view>
#include <utility>

namespace weir::cluster {

using json = nlohmann::json;

namespace {

constexpr auto answer_within = std::chrono::milliseconds(500);
constexpr std::string_view remote = "/remote/";

// The number in the path of what stands for the far end of a channel.
std::optional<channel_id> cut_channel_of(std::string_view path) {
  if (!path.starts_with(remote)) return std::nullopt;
  path.remove_prefix(remote.size());
  channel_id id = 0;
  const auto [stopped, problem] = std::from_chars(path.data(), path.data() + path.size(), id);
  return problem == std::errc() && stopped != path.data() + path.size() && *stopped == '/' ? std::optional(id)
                                                                                           : std::nullopt;
}

void add(json& to, const json& more, const char* key) {
  const auto a = to.at(key).get<std::uint64_t>();
  const auto b = field<std::uint64_t>(more, key);
  to[key] = a + std::min(b, std::numeric_limits<std::uint64_t>::max() - a);
}

}  // namespace

json part_of_whole(const graph& whole, const std::string& group, const report& own) {
  std::map<std::string_view, node_id> nodes;
  for (node_id id = 0; id != whole.nodes().size(); ++id) {
    if (whole.nodes()[id].traits.group == group) nodes.emplace(whole.nodes()[id].path, id);
  }
  std::multimap<std::pair<std::string_view, std::string_view>, channel_id> channels;
  for (channel_id id = 0; id != whole.channels().size(); ++id) {
    const channel_description& c = whole.channels()[id];
    channels.emplace(
        std::pair<std::string_view, std::string_view>(whole.nodes()[c.from].path, whole.nodes()[c.to].path), id);
  }
  json part = parse_json(to_json(own, -1));
  part.erase("bottleneck");
  json kept = json::array();
  for (json& node : part.at("nodes")) {
    const auto found = nodes.find(node.at("path").get_ref<const std::string&>());
    if (found == nodes.end()) continue;
    node["number"] = found->second;
    kept.push_back(std::move(node));
  }
  part["nodes"] = std::move(kept);
  kept = json::array();
  for (json& channel : part.at("channels")) {
    const auto& from = channel.at("from").get_ref<const std::string&>();
    const auto& to = channel.at("to").get_ref<const std::string&>();
    std::optional<channel_id> id;
    if (nodes.contains(from) && nodes.contains(to)) {
      const auto found = channels.find({from, to});
      if (found == channels.end()) continue;
      id = found->second;
      channels.erase(found);  // the next between these two is another one
    } else {
      // Of one that is cut, the sender's end: there all items wait that have not been completed.
      if (nodes.contains(from)) id = cut_channel_of(to);
      if (!id || *id >= whole.channels().size()) continue;
      channel["to"] = whole.nodes()[whole.channels()[*id].to].path;
    }
    channel["number"] = *id;
    kept.push_back(std::move(channel));
  }
  part["channels"] = std::move(kept);
  return part;
}

json sampled(std::uint64_t number, std::uint64_t run, json part) {
  timespec cpu{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  return {{"say", "sampled"},
          {"number", number},
          {"cpu_ns", std::chrono::nanoseconds(std::chrono::seconds(cpu.tv_sec)).count() + cpu.tv_nsec},
          {"run", run},
          {"part", std::move(part)}};
}

json whole_of_parts(const std::map<std::string, json>& parts) {
  json whole{{"wall_ns", 0}, {"cpu_ns", 0}, {"workers", 0}, {"ended", true}};
  std::map<std::uint64_t, json> nodes;
  std::map<std::uint64_t, json> channels;
  for (const auto& [group, part] : parts) {
    whole["wall_ns"] = std::max(whole.at("wall_ns").get<std::int64_t>(), part.at("wall_ns").get<std::int64_t>());
    add(whole, part, "cpu_ns");
    add(whole, part, "workers");
    whole["ended"] = whole.at("ended").get<bool>() && part.at("ended").get<bool>();
    for (const json& node : part.at("nodes")) {
      json& made = nodes[node.at("number").get<std::uint64_t>()] = node;
      made["group"] = group;
      made.erase("number");
    }
    for (const json& channel : part.at("channels")) {
      channels[channel.at("number").get<std::uint64_t>()] = channel;
    }
  }
  whole["nodes"] = json::array();
  for (auto& [number, node] : nodes) whole["nodes"].push_back(std::move(node));
  whole["channels"] = json::array();
  for (auto& [number, channel] : channels) {
    channel.erase("number");
    whole["channels"].push_back(std::move(channel));
  }
  return whole;
}

live_cluster::live_cluster(live_socket socket, std::string program, std::function<asked(const json&)> ask)
    : program_(std::move(program)), ask_(std::move(ask)) {
  server_.emplace(std::move(socket), [this] { return document(); });
}

void live_cluster::hear(const std::string& group, const json& message) {
  const std::lock_guard lock(mutex_);
  group_state& of = groups_[group];
  of.answered = std::max(of.answered, field<std::uint64_t>(message, "number"));
  of.cpu_ns = field<std::int64_t>(message, "cpu_ns");
  if (const auto run = field<std::uint64_t>(message, "run"); run >= of.run && run != 0) {
    const json& part = object_field(message, "part");
    report_from_json(part);  // throws where it is none
    for (const char* key : {"nodes", "channels"}) {
      for (const json& each : array_field(part, key)) field<std::uint64_t>(each, "number");
    }
    of.run = run;
    of.part = part;
  }
  changed_.notify_all();
}

std::string live_cluster::document() {
  const std::uint64_t question = ++questions_;
  const asked who = ask_({{"say", "sample"}, {"number", question}});
  std::unique_lock lock(mutex_);
  const auto has_answered = [&](const std::string& group) { return groups_[group].answered == question; };
  changed_.wait_for(lock, answer_within, [&] { return std::ranges::all_of(who.groups, has_answered); });
  if (auto now = runs()) last_runs_ = *std::move(now);
  json made{{"live_view", live_runs::format},
            {"pid", ::getpid()},
            {"program", program_},
            {"cores", who.cores},
            {"at_ns", std::chrono::steady_clock::now().time_since_epoch().count()},
            {"cpu_ns", 0},
            {"groups", json::array()},
            {"runs", last_runs_}};
  for (const auto& [group, its] : groups_) {
    made["cpu_ns"] = made.at("cpu_ns").get<std::int64_t>() + its.cpu_ns;
    const bool answers = !who.groups.contains(group) || its.answered == question;
    made["groups"].push_back({{"name", group}, {"answers", answers}});
  }
  return text_of(made) + "\n";
}

// None where one of the groups is further than others, or has no run so far.
std::optional<json> live_cluster::runs() const {
  std::map<std::string, json> parts;
  for (const auto& [group, its] : groups_) {
    if (its.run == 0 || its.run != groups_.begin()->second.run) return std::nullopt;
    parts.emplace(group, its.part);
  }
  if (parts.empty()) return std::nullopt;
  return json{{{"run", groups_.begin()->second.run}, {"report", whole_of_parts(parts)}}};
}

}  // namespace weir::cluster
