// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/cluster_settings.hpp"

#include "cluster/wire/frame.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace weir::cluster {
namespace {

// Returns why two groups can't be connected by that transport; empty: they can.
std::string obstacle(link_transport transport, bool is_here, bool is_this_process, bool mpi) {
  if (transport == link_transport::shm && !is_here) return "shm, but they are not on one machine";
  if (transport == link_transport::inproc && !is_this_process) return "inproc, but they are not one process";
  if (transport == link_transport::mpi && !mpi) return "mpi, but no MPI has started all groups";
  return "";
}

transport_kind kind_of(link_transport transport, bool is_here, bool is_this_process, bool mpi) {
  switch (transport) {
    case link_transport::tcp: return transport_kind::tcp;
    case link_transport::shm: return transport_kind::shm;
    case link_transport::inproc: return transport_kind::inproc;
    case link_transport::mpi: return transport_kind::mpi;
    case link_transport::automatic: break;
  }
  if (is_here) return is_this_process ? transport_kind::inproc : transport_kind::shm;
  return mpi ? transport_kind::mpi : transport_kind::tcp;
}

}  // namespace

cluster_settings cluster_settings::from(const welcome& all, const std::string& name) {
  const auto own = std::ranges::find(all.groups, name, &introduced_group::name);
  if (own == all.groups.end()) throw protocol_error("its welcome does not name this group");
  cluster_settings made;
  made.number = static_cast<std::size_t>(own - all.groups.begin());
  constexpr auto any = std::numeric_limits<std::uint64_t>::max();
  made.frame_items = own->batch_size == 0 ? any : own->batch_size;
  made.frames_under_way = own->frames_under_way == 0 ? any : own->frames_under_way;
  const process_place here = process_place::of_this_process(own->at.port);
  for (const introduced_group& each : all.groups) {
    const link_transport transport = all.between(name, each.name);
    const bool is_here = each.at.shares_addresses(here);
    const bool is_this_process = each.at.is_process(here);
    if (const std::string why_not = obstacle(transport, is_here, is_this_process, all.mpi);
        each.name != name && !why_not.empty() && made.impossible.empty()) {
      made.impossible = "is to be connected to " + each.name + " by " + why_not;
    }
    made.addresses[each.name] = {each.address,
                                 each.host,
                                 each.at.port,
                                 kind_of(transport, is_here, is_this_process, all.mpi),
                                 transport != link_transport::automatic,
                                 is_here};
    group_selection& selection = made.selections.emplace_back();
    selection.group = each.name;
    selection.nodes = each.nodes;
    made.groups.push_back({each.name, each.share});
    if (each.channel_items != 0) made.channel_items[each.name] = each.channel_items;
  }
  made.cores = std::max<std::size_t>(all.cores, 1);
  made.watched = all.watched;
  made.traced = all.traced;
  made.plans = all.plan;
  made.checksums = all.checksums;
  made.joins_mpi = all.mpi;
  made.stalled_after = all.stalled_after;
  return made;
}

std::vector<graph_error> cluster_settings::assign(graph& whole) const {
  const std::vector<planned_group> planned = plans ? groups : std::vector<planned_group>();
  std::vector<graph_error> wrong;
  try {
    wrong = detail::settle_groups(whole, selections, planned,
                                  planned.empty() ? detail::graph_costs() : detail::estimated_costs(whole));
  } catch (const graph_error& problem) {
    wrong.push_back(problem);
  }
  if (!wrong.empty()) return wrong;
  for (channel_id id = 0; id != std::as_const(whole).channels().size(); ++id) {
    channel_description& c = whole.channels()[id];
    const std::string& group = std::as_const(whole).nodes()[c.from].traits.group;
    const auto items = channel_items.find(group);
    if (c.capacity != 0 || c.unbounded || items == channel_items.end()) continue;
    if (std::as_const(whole).nodes()[c.to].traits.group == group) c.capacity = items->second;
  }
  return {};
}

}  // namespace weir::cluster
