// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The document for watchers is that of live_runs::document, with these additions:
//
//   "groups": [{"name", "answers"}]    whether each group has answered in time
//   a "group" for each node
#include "cluster/coordinator/live_cluster.hpp"

#include "graph/json_text.hpp"
#include "run/live_runs.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace weir::cluster {

using json = nlohmann::json;

namespace {

constexpr auto answer_within = std::chrono::milliseconds(500);

template <class Time>
Time sum_of(Time a, Time b) {
  return a + std::min(b, std::numeric_limits<Time>::max() - a);
}

}  // namespace

json whole_of_parts(const std::map<std::string, const numbered_report*>& parts) {
  struct placed_node {
    const node_report* about;
    const std::string* group;
  };
  std::map<std::uint64_t, placed_node> nodes;
  std::map<std::uint64_t, const channel_report*> channels;
  report whole;
  for (const auto& [group, part] : parts) {
    whole.wall = std::max(whole.wall, part->of.wall);
    whole.cpu = std::chrono::nanoseconds(sum_of(whole.cpu.count(), part->of.cpu.count()));
    whole.workers = sum_of(whole.workers, part->of.workers);
    whole.ended = whole.ended && part->of.ended;
    for (std::size_t i = 0; i != part->nodes.size(); ++i) nodes[part->nodes[i]] = {&part->of.nodes[i], &group};
    for (std::size_t i = 0; i != part->channels.size(); ++i) channels[part->channels[i]] = &part->of.channels[i];
  }
  for (const auto& [number, node] : nodes) whole.nodes.push_back(*node.about);
  for (const auto& [number, channel] : channels) whole.channels.push_back(*channel);
  json written = detail::parse_json(to_json(whole, -1));
  written.erase("bottleneck");
  auto made = written.at("nodes").begin();
  for (const auto& [number, node] : nodes) (*made++)["group"] = *node.group;
  return written;
}

namespace {

// Returns the run that all groups are in, and its report; none if one group is further than others,
// or has no run so far.
std::optional<json> run_of(const std::map<std::string, live_group>& groups) {
  std::map<std::string, const numbered_report*> parts;
  for (const auto& [group, its] : groups) {
    if (its.run == 0 || its.run != groups.begin()->second.run) return std::nullopt;
    parts.emplace(group, &its.part);
  }
  if (parts.empty()) return std::nullopt;
  return json{{{"run", groups.begin()->second.run}, {"report", whole_of_parts(parts)}}};
}

}  // namespace

live_cluster::live_cluster(detail::live_socket socket, std::string program,
                           std::function<asked(const to_group::sample&)> ask)
    : program_(std::move(program)), ask_(std::move(ask)), last_runs_(std::make_unique<json>(json::array())) {
  server_.emplace(std::move(socket), [this] { return document(); });
}

live_cluster::~live_cluster() = default;

void live_cluster::stop() { server_.reset(); }

bool live_group::hear(to_coordinator::sampled message) {
  cpu_ns = message.cpu_ns;
  numbered_report& coming = coming_[message.number];
  if (message.run != 0 && message.part) add_part(coming, *std::move(message.part));
  if (message.more) return false;
  if (message.run > run || (message.run != 0 && message.run == run && (coming.of.ended || !part.of.ended))) {
    run = message.run;
    part = std::move(coming);
  }
  coming_.erase(message.number);
  answered = std::max(answered, message.number);
  return true;
}

void live_cluster::hear(const std::string& group, to_coordinator::sampled message) {
  const std::lock_guard lock(mutex_);
  if (groups_[group].hear(std::move(message))) changed_.notify_all();
}

std::string live_cluster::document() {
  const std::uint64_t question = ++questions_;
  const asked who = ask_({question});
  std::unique_lock lock(mutex_);
  const auto has_answered = [&](const std::string& group) { return groups_[group].answered == question; };
  changed_.wait_for(lock, answer_within, [&] { return std::ranges::all_of(who.groups, has_answered); });
  if (auto now = run_of(groups_)) *last_runs_ = *std::move(now);
  json made{{"live_view", detail::live_runs::format},
            {"pid", ::getpid()},
            {"program", program_},
            {"cores", who.cores},
            {"at_ns", std::chrono::steady_clock::now().time_since_epoch().count()},
            {"cpu_ns", 0},
            {"groups", json::array()},
            {"runs", *last_runs_}};
  for (const auto& [group, its] : groups_) {
    made["cpu_ns"] = made.at("cpu_ns").get<std::int64_t>() + its.cpu_ns;
    const bool answers = !who.groups.contains(group) || its.answered == question;
    made["groups"].push_back({{"name", group}, {"answers", answers}});
  }
  return detail::text_of(made) + "\n";
}

}  // namespace weir::cluster
