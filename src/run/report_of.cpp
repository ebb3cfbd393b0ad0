// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/run_parts.hpp"

#include <algorithm>
#include <cstddef>

namespace weir::detail {
namespace {

// By channel: its place among those of its in-port.
std::vector<std::size_t> places_in_ports(const graph& g) {
  std::vector<std::size_t> made(g.channels().size());
  for (const node_description& node : g.nodes()) {
    for (const in_port_description& port : node.in) {
      for (std::size_t i = 0; i != port.channels.size(); ++i) made[port.channels[i]] = i;
    }
  }
  return made;
}

void report_nodes(const run_parts& run, report& to) {
  to.nodes.resize(run.nodes.size());
  for (node_id id = 0; id != run.nodes.size(); ++id) {
    to.nodes[id].path = run.nodes[id]->io.path();
    to.nodes[id].kind = run.what.nodes()[id].kind;
  }
  for (std::size_t i = 0; i != run.chains.size(); ++i) {
    const node_id first = run.chains[i].front();
    for (const node_id id : run.chains[i]) {
      run.activations[i]->fill(*run.nodes[id], to.nodes[id]);
      if (id != first) to.nodes[id].runs_with = to.nodes[first].path;
    }
  }
}

void report_channels(const run_parts& run, bool ended, report& to) {
  const graph& g = run.what;
  const std::vector<std::size_t> place_in_port = places_in_ports(g);
  to.channels.reserve(run.channels.size());
  for (channel_id id = 0; id != run.channels.size(); ++id) {
    const channel_description& c = g.channels()[id];
    const channel& data = *run.channels[id];
    channel_report& entry = to.channels.emplace_back();
    entry.from = g.nodes()[c.from].path;
    entry.to = g.nodes()[c.to].path;
    entry.input = c.to_port;
    const channel::index completed = data.completed();
    entry.items = data.written();
    entry.waiting = ended ? 0 : static_cast<std::size_t>(entry.items - completed);
    entry.capacity = data.capacity();
    to.nodes[c.from].sent += entry.items;
    const ports& io = run.nodes[c.to]->io;
    const double fill = io.in(c.to_port).channels()[place_in_port[id]]->mean_fill();
    // A policy may let fewer items wait than the channel holds. Then this number can be full.
    const channel::index most = std::min<channel::index>(entry.capacity, data.fill_limit());
    entry.room = static_cast<std::size_t>(most);
    entry.fill = most == 0 ? 0 : std::min(1.0, fill / static_cast<double>(most));
  }
}

}  // namespace

report report_of(const run_parts& run, bool ended) {
  report made;
  report_nodes(run, made);
  report_channels(run, ended, made);
  return made;
}

}  // namespace weir::detail
