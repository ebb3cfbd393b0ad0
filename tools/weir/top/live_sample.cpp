// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/live_sample.hpp"

#include "common/display_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace {

using nlohmann::json;
using std::chrono::nanoseconds;

constexpr int known_format = 1;

std::string name(const json& from, const char* key) { return harmless(from.at(key).get<std::string>()); }

nanoseconds time(const json& from, const char* key) { return nanoseconds(from.at(key).get<std::int64_t>()); }

weir::report report_of(const json& from) {
  weir::report made;
  made.wall = time(from, "wall_ns");
  made.cpu = time(from, "cpu_ns");
  made.workers = from.at("workers").get<std::size_t>();
  made.ended = from.at("ended").get<bool>();
  for (const json& node : from.at("nodes")) {
    made.nodes.push_back({.path = name(node, "path"),
                          .kind = name(node, "kind"),
                          .items = node.at("items").get<std::uint64_t>(),
                          .sent = node.at("sent").get<std::uint64_t>(),
                          .steps = node.at("steps").get<std::uint64_t>(),
                          .busy = time(node, "busy_ns"),
                          .ready = time(node, "ready_ns"),
                          .waiting_input = time(node, "waiting_input_ns"),
                          .waiting_room = time(node, "waiting_room_ns"),
                          .in_own_code = nanoseconds(node.value("in_own_code_ns", std::int64_t{0})),
                          .in_own_code_cpu = nanoseconds(node.value("in_own_code_cpu_ns", std::int64_t{0})),
                          .thread = node.value("thread", 0L)});
  }
  for (const json& channel : from.at("channels")) {
    made.channels.push_back({.from = name(channel, "from"),
                             .to = name(channel, "to"),
                             .items = channel.at("items").get<std::uint64_t>(),
                             .capacity = channel.at("capacity").get<std::size_t>(),
                             .waiting = channel.at("waiting").get<std::size_t>(),
                             .room = channel.at("room").get<std::size_t>(),
                             .fill = channel.at("fill").get<double>(),
                             .input = channel.value("input", std::size_t{0})});
  }
  return made;
}

// Returns the growth of a counter. A counter that is read while it grows may seem to have decreased
// a little.
template <class Number>
Number grown(Number later, Number earlier) {
  return later > earlier ? Number(later - earlier) : Number(0);
}

}  // namespace

const live_run* live_sample::find(std::uint64_t number) const {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const live_run& r) { return r.number == number; });
  return found == runs.end() ? nullptr : &*found;
}

live_sample parse_sample(const std::string& line) {
  const json said = json::parse(line, nullptr, false);
  if (!said.is_object()) throw std::runtime_error("the listener is no weir program");
  try {
    if (said.contains("error")) throw std::runtime_error("the program refuses: " + name(said, "error"));
    if (said.at("live_view").get<int>() != known_format) {
      throw std::runtime_error("the program has another version of weir; use the weir top of that version");
    }
    live_sample made;
    made.pid = said.at("pid").get<pid_t>();
    made.program = name(said, "program");
    made.cores = said.at("cores").get<std::size_t>();
    made.at = time(said, "at_ns");
    made.cpu = time(said, "cpu_ns");
    for (const json& run : said.at("runs")) {
      live_run& its = made.runs.emplace_back(live_run{run.at("run").get<std::uint64_t>(), report_of(run.at("report"))});
      for (const json& node : run.at("report").at("nodes")) {
        if (node.contains("group")) its.groups.push_back(name(node, "group"));
      }
      if (its.groups.size() != its.report.nodes.size()) its.groups.clear();
    }
    for (const json& group : said.value("groups", json::array())) {
      if (!group.at("answers").get<bool>()) made.silent.push_back(name(group, "name"));
    }
    return made;
  } catch (const json::exception& problem) {
    throw std::runtime_error(fmt::format("the listener is no program of this version of weir ({})", problem.what()));
  }
}

weir::report difference(const weir::report& later, const weir::report& earlier) {
  if (later.nodes.size() != earlier.nodes.size() || later.channels.size() != earlier.channels.size()) return later;
  weir::report between = later;
  between.wall = grown(later.wall, earlier.wall);
  between.cpu = grown(later.cpu, earlier.cpu);
  for (std::size_t i = 0; i != between.nodes.size(); ++i) {
    weir::node_report& node = between.nodes[i];
    const weir::node_report& before = earlier.nodes[i];
    node.items = grown(node.items, before.items);
    node.sent = grown(node.sent, before.sent);
    node.steps = grown(node.steps, before.steps);
    node.busy = grown(node.busy, before.busy);
    node.ready = grown(node.ready, before.ready);
    node.waiting_input = grown(node.waiting_input, before.waiting_input);
    node.waiting_room = grown(node.waiting_room, before.waiting_room);
  }
  for (std::size_t i = 0; i != between.channels.size(); ++i) {
    between.channels[i].items = grown(between.channels[i].items, earlier.channels[i].items);
  }
  return between;
}
