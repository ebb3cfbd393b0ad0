// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include "deployment.hpp"
#include "group_traffic.hpp"
#include "mpi_start.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

// Of `weir run`, beside those of the programs themselves (sysexits.h; timeout(1)).
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
  std::string standard_input;  ///< the group that gets ours; empty: the first
  std::chrono::seconds timeout{0};
  std::string via;  ///< starts a shell on `{host}`, for groups with a host; empty: ssh, where that is another machine
  std::vector<std::string> problems;   ///< that are known already
  std::optional<deployment> deployed;  ///< nothing is, if that is not there
  line_prefix prefix = line_prefix::on_terminal;
  std::string logs;                 ///< a folder for what each group prints; empty: none
  std::optional<mpi_launcher> mpi;  ///< who starts the groups; none: weir
  std::string mpi_command;          ///< that
  std::string address;  ///< at which others reach this machine; empty: where the way to the first of them begins
};

/// Starts the program once for each group, passes on what the groups print and the signals that
/// come, and waits for all of them; after a failure it ends those that don't. What keeps a group
/// from being started is said before any is, all of it, a line each.
/// @return the exit code. @throws interrupted; std::exception if this machine is short of something
int launch(const launch_options& options);
