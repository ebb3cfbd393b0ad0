// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/group_options.hpp"
#include "support/command_line.hpp"

#include <string>
#include <vector>

/// The options of `weir run`.
struct run_command_options {
  std::string configuration;  ///< a file; empty: `groups` says how many groups there are
  group_options groups;
  std::string via;
  std::string mpirun;
  std::string address;
  std::string standard_input;      ///< the group that gets standard input; empty: the first
  unsigned long timeout = 0;       ///< seconds; 0: none
  unsigned long start_within = 0;  ///< seconds; 0: the value of the configuration
  bool prefix = false;
  bool no_prefix = false;
  std::string logs;                         ///< a folder; empty: none
  bool deploy = false;                      ///< whether the program and the configuration are copied to the hosts
  std::vector<std::string> deployed_files;  ///< each a list, separated by commas
  std::vector<std::string> program;
  std::vector<std::string> unexpected;  ///< words before `--` that are no options
};

/// Adds the subcommand, which fills `into`.
weir::support::command add_run_command(weir::support::command& of, run_command_options& into);

/// Returns which options contradict each other, and what to do; empty if none do.
std::string contradiction(const run_command_options& options);

/// Runs the program as a cluster.
/// @return its exit code.
/// @throws std::exception whose text is one line for the user
int run_cluster(const run_command_options& options);
