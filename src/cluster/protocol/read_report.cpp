// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/protocol/read_report.hpp"

#include "cluster/protocol/json_fields.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <span>

namespace weir::cluster {

namespace {

using json = nlohmann::json;

// Reads times whose sum is at most half of the range of a duration, so they can be added up. Reads
// negative values, which differences of two clocks may be, as 0.
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

}  // namespace weir::cluster
