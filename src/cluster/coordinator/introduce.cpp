// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/introduce.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace weir::cluster {
namespace {

// All processes of an MPI job take part in it, or none.
bool needs_mpi(const roster& groups, const cluster_configuration& configuration) {
  const std::vector<member>& members = groups.all();
  if (!std::ranges::all_of(members, [](const member& each) { return each.place.in_mpi; })) return false;
  const auto wants = [](const link_configuration& link) { return link.transport == link_transport::mpi; };
  if (configuration.transport == link_transport::mpi || std::ranges::any_of(configuration.links, wants)) return true;
  return configuration.transport == link_transport::automatic && std::ranges::any_of(members, [&](const member& each) {
           return !each.place.shares_addresses(members.front().place);
         });
}

}  // namespace

std::optional<cluster_failure> difference_of_builds(const roster& groups) {
  const auto first = std::ranges::find(groups.all(), true, &member::here);
  for (const member& each : groups.all()) {
    const std::string what = each.here ? difference(each.build, first->build, first->name()) : "";
    if (what.empty()) continue;
    return cluster_failure{each.name(), "",
                           what + R"(; start the same build everywhere, or say "builds": "any" in the configuration)",
                           failure_kind::protocol};
  }
  return std::nullopt;
}

to_group::welcome introduce(const roster& groups, const cluster_configuration& configuration) {
  to_group::welcome all;
  all.cores = 0;
  std::map<std::string, std::size_t> groups_on;  // by machine
  for (const member& each : groups.all()) {
    if (++groups_on[each.place.machine] == 1) all.cores += each.place.cores;
  }
  for (const member& each : groups.all()) {
    const double neighbours = static_cast<double>(groups_on[each.place.machine]);
    all.groups.push_back({.name = each.name(),
                          .address = each.address,
                          .host = each.about->host,
                          .at = each.place,
                          .share = static_cast<double>(each.place.cores) / neighbours,
                          .nodes = each.about->nodes,
                          .batch_size = each.about->batch_size,
                          .frames_under_way = each.about->frames_under_way,
                          .channel_items = each.about->channel_items});
  }
  all.mpi = needs_mpi(groups, configuration);
  all.plan = configuration.plan;
  all.checksums = configuration.checksums;
  all.stalled_after = configuration.stalled_after;
  all.transport = configuration.transport;
  all.links = configuration.links;
  return all;
}

}  // namespace weir::cluster
