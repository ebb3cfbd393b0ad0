// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include "support/command_line.hpp"

#include <string>
#include <vector>

/// The options that say how many groups there are without a configuration, and on which hosts
/// groups run.
struct group_options {
  unsigned long count = 0;         ///< 0: not given
  std::vector<std::string> hosts;  ///< where groups without a host run, in turn; without a count, one group on each

  bool said() const { return count != 0 || !hosts.empty(); }
};

/// Adds --on and --hosts, which fill `into`.
void add_group_options(weir::support::command& command, group_options& into);

/// Returns groups G1, G2, …, over which the network is distributed.
weir::cluster_configuration made_up(const group_options& options);

/// Gives each group without a host the next host.
void place_on(const std::vector<std::string>& hosts, weir::cluster_configuration& configuration);
