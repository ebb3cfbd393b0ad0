// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/merge_reports.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weir::cluster {

namespace {

std::chrono::nanoseconds sum_of(std::chrono::nanoseconds a, std::chrono::nanoseconds b) {
  return a + std::min(b, std::chrono::nanoseconds::max() - a);
}

}  // namespace

report merge_reports(const graph& whole, const std::vector<numbered_report>& parts) {
  report made;
  // Nodes that the program does not contain are left out: an item that goes through a relay counts
  // as the producer's.
  const auto author_of = [&](node_id node) {
    const node_id producer = whole.nodes()[node].relays_for;
    return producer == no_node ? node : producer;
  };
  for (const node_description& node : whole.nodes()) {
    if (node.relays_for != no_node) break;  // relays come last
    made.nodes.push_back({.path = node.path, .kind = node.kind});
  }
  for (const channel_description& c : whole.channels()) {
    if (whole.nodes()[c.to].relays_for != no_node) break;  // the channels to relays come last, too
    made.channels.push_back(
        {.from = whole.nodes()[author_of(c.from)].path, .to = whole.nodes()[c.to].path, .input = c.to_port});
  }
  for (const numbered_report& part : parts) {
    made.wall = std::max(made.wall, part.of.wall);
    made.cpu = sum_of(made.cpu, part.of.cpu);
    made.workers += part.of.workers;
    made.ended = made.ended && part.of.ended;
    for (std::size_t i = 0; i != part.nodes.size(); ++i) {
      if (part.nodes[i] < made.nodes.size()) made.nodes[part.nodes[i]] = part.of.nodes[i];
    }
    for (std::size_t i = 0; i != part.channels.size(); ++i) {
      if (part.channels[i] >= made.channels.size()) continue;
      channel_report& channel = made.channels[part.channels[i]];
      const channel_report& found = part.of.channels[i];
      channel.items = found.items;
      channel.capacity = found.capacity;
      channel.waiting = found.waiting;
      channel.room = found.room;
      channel.fill = found.fill;
    }
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
