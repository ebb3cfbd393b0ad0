// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include "run/deployment.hpp"
#include "run/group_traffic.hpp"
#include "run/mpi_start.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

// Exit codes of `weir run`, besides those of the programs themselves (sysexits.h; timeout(1)).
inline constexpr int exit_configuration = 64;
inline constexpr int exit_data = 65;
inline constexpr int exit_group_lost = 69;
inline constexpr int exit_internal = 70;
inline constexpr int exit_protocol = 76;
inline constexpr int exit_authentication = 77;
inline constexpr int exit_timeout = 124;

struct launch_options {
  weir::cluster_configuration configuration;
  std::vector<std::string> program;
  std::string standard_input;  ///< the group that gets our standard input; empty: the first
  std::chrono::seconds timeout{0};
  std::string via;  ///< command that starts a shell on `{host}`, for groups with a host; empty: ssh, for other machines
  std::vector<std::string> problems;   ///< problems that are already known
  std::optional<deployment> deployed;  ///< files to copy to the hosts; none: nothing is copied
  line_prefix prefix = line_prefix::on_terminal;
  std::string logs;                 ///< folder for the output of each group; empty: none
  std::optional<mpi_launcher> mpi;  ///< launcher that starts the groups; none: weir
  std::string mpi_command;          ///< the launcher's command
  std::string address;  ///< address at which other machines reach this one; empty: its address towards the first host
};

/// Starts the program once for each group, passes on the output of the groups and the signals that
/// arrive, and waits for all groups. After a failure it ends the groups that do not end by
/// themselves. Before any group is started, everything that prevents a start is printed, one line
/// for each problem.
/// @return the exit code. @throws interrupted; std::exception if this machine is out of a resource
int launch(const launch_options& options);
