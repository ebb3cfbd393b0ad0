// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Control messages (see coordinator.cpp):
//
//   {"say": "sample", "number": N}                  to a group
//   {"say": "sampled", "number": N, "cpu_ns": T, "run": R, "part": P, "more": B}     from a group
//
//   N is 0 where nobody has asked: run R has ended. So says a group that is watched from the
//   beginning, or that was asked once. R is 0, and P null, before the first run.
//   P is a part of its report (see report_parts.hpp), with numbers, and the channels of this group's producers; B: others follow
//
// To those who watch, as live_runs::document, and
//
//   "groups": [{"name", "answers"}]    whether it has answered in time
//   each node has a "group"
#include "cluster/live_cluster.hpp"

#include "cluster/message.hpp"
#include "graph/json_text.hpp"
#include "run/live_runs.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
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

numbered_report part_of_whole(const graph& whole, group_report own) {
  numbered_report part;
  for (std::size_t i = 0; i != own.of.nodes.size(); ++i) {
    if (own.nodes[i] == no_node) continue;
    part.nodes.push_back(own.nodes[i]);
    part.of.nodes.push_back(std::move(own.of.nodes[i]));
  }
  for (std::size_t i = 0; i != own.of.channels.size(); ++i) {
    // At the near end of one that is cut lie all items that have not been completed.
    if (own.channels[i] == no_channel) continue;
    const channel_description& about = whole.channels()[own.channels[i]];
    channel_report& channel = part.of.channels.emplace_back(std::move(own.of.channels[i]));
    channel.to = whole.nodes()[about.to].path;
    channel.input = about.to_port;
    part.channels.push_back(own.channels[i]);
  }
  own.of.nodes = std::move(part.of.nodes);
  own.of.channels = std::move(part.of.channels);
  part.of = std::move(own.of);
  return part;
}

std::vector<json> sampled(std::uint64_t number, std::uint64_t run, const numbered_report* part) {
  timespec cpu{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  std::vector<json> messages;
  for (json& each : part == nullptr ? std::vector<json>{json()} : parts_of(*part)) {
    messages.push_back({{"say", "sampled"},
                        {"number", number},
                        {"cpu_ns", std::chrono::nanoseconds(std::chrono::seconds(cpu.tv_sec)).count() + cpu.tv_nsec},
                        {"run", run},
                        {"part", std::move(each)},
                        {"more", true}});
  }
  messages.back()["more"] = false;
  return messages;
}

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
  json written = parse_json(to_json(whole, -1));
  written.erase("bottleneck");
  auto made = written.at("nodes").begin();
  for (const auto& [number, node] : nodes) (*made++)["group"] = *node.group;
  return written;
}

live_cluster::live_cluster(live_socket socket, std::string program, std::function<asked(const json&)> ask)
    : program_(std::move(program)), ask_(std::move(ask)) {
  server_.emplace(std::move(socket), [this] { return document(); });
}

bool live_group::hear(const json& message) {
  cpu_ns = field<std::int64_t>(message, "cpu_ns");
  const auto number = field<std::uint64_t>(message, "number");
  const auto about = field<std::uint64_t>(message, "run");
  numbered_report& coming = coming_[number];
  if (about != 0) add_part(coming, object_field(message, "part"));
  if (field<bool>(message, "more")) return false;
  if (about > run || (about != 0 && about == run && (coming.of.ended || !part.of.ended))) {
    run = about;
    part = std::move(coming);
  }
  coming_.erase(number);
  answered = std::max(answered, number);
  return true;
}

void live_cluster::hear(const std::string& group, const json& message) {
  const std::lock_guard lock(mutex_);
  if (groups_[group].hear(message)) changed_.notify_all();
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
  std::map<std::string, const numbered_report*> parts;
  for (const auto& [group, its] : groups_) {
    if (its.run == 0 || its.run != groups_.begin()->second.run) return std::nullopt;
    parts.emplace(group, &its.part);
  }
  if (parts.empty()) return std::nullopt;
  return json{{{"run", groups_.begin()->second.run}, {"report", whole_of_parts(parts)}}};
}

}  // namespace weir::cluster
