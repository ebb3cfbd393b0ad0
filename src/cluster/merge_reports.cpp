// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/merge_reports.hpp"

#include "weir/passes/cut.hpp"

#include "cluster/message.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

namespace weir::cluster {

namespace {

using json = nlohmann::json;

// Reads times, whose sum is at most half of what a duration holds: so they can be added up. What is below 0, as differences of two clocks
// may be, is 0.
class times {
 public:
  std::chrono::nanoseconds next(const json& from, const char* key) {
    if (from.is_object() && from.contains(key) && from[key].is_number_integer() && from[key] < 0)
      return std::chrono::nanoseconds(0);
    const auto value = static_cast<std::int64_t>(field<std::uint64_t>(from, key, static_cast<std::uint64_t>(left_)));
    left_ -= value;
    return std::chrono::nanoseconds(value);
  }

 private:
  std::int64_t left_ = std::numeric_limits<std::int64_t>::max() / 2;
};

// No path has a line end in it.
std::string ends_of(const std::string& from, const std::string& to) { return from + '\n' + to; }

std::chrono::nanoseconds sum_of(std::chrono::nanoseconds a, std::chrono::nanoseconds b) {
  return a + std::min(b, std::chrono::nanoseconds::max() - a);
}

}  // namespace

report report_from_json(const json& written) {
  report made;
  times in;
  made.wall = in.next(written, "wall_ns");
  made.cpu = in.next(written, "cpu_ns");
  made.workers = field<std::size_t>(written, "workers");
  made.ended = field<bool>(written, "ended");
  for (const json& from : array_field(written, "nodes")) {
    node_report& node = made.nodes.emplace_back();
    node.path = field<std::string>(from, "path");
    node.kind = field<std::string>(from, "kind");
    node.items = field<std::uint64_t>(from, "items");
    node.sent = field<std::uint64_t>(from, "sent");
    node.steps = field<std::uint64_t>(from, "steps");
    node.busy = in.next(from, "busy_ns");
    node.ready = in.next(from, "ready_ns");
    node.waiting_input = in.next(from, "waiting_input_ns");
    node.waiting_room = in.next(from, "waiting_room_ns");
    if (from.contains("in_own_code_ns")) {
      node.in_own_code = in.next(from, "in_own_code_ns");
      node.in_own_code_cpu = in.next(from, "in_own_code_cpu_ns");
      node.thread = static_cast<long>(field<std::uint32_t>(from, "thread"));
    }
    if (from.contains("runs_with")) node.runs_with = field<std::string>(from, "runs_with");
  }
  for (const json& from : array_field(written, "channels")) {
    channel_report& channel = made.channels.emplace_back();
    channel.from = field<std::string>(from, "from");
    channel.to = field<std::string>(from, "to");
    channel.items = field<std::uint64_t>(from, "items");
    channel.capacity = field<std::size_t>(from, "capacity");
    channel.waiting = field<std::size_t>(from, "waiting");
    channel.room = field<std::size_t>(from, "room");
    channel.fill = field<double>(from, "fill");
    if (from.contains("input")) channel.input = field<std::uint32_t>(from, "input");
  }
  return made;
}

report report_from_json(const std::string& text) {
  return report_from_json(parse_message(std::as_bytes(std::span(text.data(), text.size()))));
}

report merge_reports(const graph& whole, const std::vector<report>& parts) {
  report made;
  std::unordered_map<std::string, const node_report*> nodes;
  std::unordered_map<std::string, const channel_report*> channels;  // by both of their ends
  for (const report& part : parts) {
    made.wall = std::max(made.wall, part.wall);
    made.cpu = sum_of(made.cpu, part.cpu);
    made.workers += part.workers;
    made.ended = made.ended && part.ended;
    for (const node_report& each : part.nodes) nodes.emplace(each.path, &each);
    for (const channel_report& each : part.channels) channels.insert_or_assign(ends_of(each.from, each.to), &each);
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
    auto found = channels.find(ends_of(from, to));
    if (found == channels.end()) found = channels.find(ends_of(from, remote_end_path(id, to)));
    if (found != channels.end()) channel = *found->second;
    channel.from = whole.nodes()[author_of(c.from)].path;
    channel.to = to;
    channel.input = c.to_port;
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
