// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/passes/assign_groups.hpp"
#include "weir/detail/passes/plan.hpp"
#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"

#include "cluster/protocol/welcome.hpp"
#include "cluster/wire/meeting.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weir::cluster {

/// The place of another group, and how to connect to it.
struct group_address {
  std::string host;
  std::string named_host;  ///< as the configuration names it
  std::uint16_t port = 0;
  transport_kind kind = transport_kind::tcp;  ///< to be used if possible; needed if `must_be_that`
  bool must_be_that = false;
  bool is_here = false;  ///< on this machine
};

/// The coordinator's welcome, as one group understands it.
struct cluster_settings {
  std::size_t number = 0;  ///< of this group, from 0
  std::map<std::string, group_address> addresses;
  std::vector<planned_group> groups;
  std::vector<group_selection> selections;
  std::map<std::string, std::size_t> channel_items;  ///< by group; not contained: by size
  std::uint64_t frame_items = 0;                     ///< largest number of items in a frame that this group sends
  std::uint64_t frames_under_way = 0;                ///< largest number of frames under way in one channel
  std::size_t cores = 1;
  bool watched = false;
  bool traced = false;
  bool plans = false;  ///< nodes are assigned to groups by their work
  bool checksums = false;
  bool joins_mpi = false;
  std::chrono::milliseconds stalled_after{};
  std::string impossible;  ///< reason why this group can't be connected as the configuration says; empty: it can

  /// @throws protocol_error
  static cluster_settings from(const welcome& all, const std::string& name);

  /// Assigns all nodes to groups, and sets the capacity of channels within them.
  /// @return reasons why the configuration does not fit the network
  std::vector<graph_error> assign(graph& whole) const;
};

}  // namespace weir::cluster
