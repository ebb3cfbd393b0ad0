// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/group_options.hpp"
#include "support/command_line.hpp"

#include <string>
#include <vector>

/// The options of `weir plan`.
struct plan_options {
  group_options groups;
  std::string configuration;  ///< a file that is to be completed; empty: none
  bool slurm = false;         ///< takes the hosts and their cores from the SLURM allocation of this process
  unsigned long cores = 0;    ///< cores for farms without a width; 0: the cores of the allocation, or of this machine
  bool measure = false;
  std::string output;  ///< a file; empty: standard output
  std::vector<std::string> program;
  std::vector<std::string> unexpected;  ///< words before `--` that are no options
};

/// The options of `weir check`.
struct check_options {
  std::string configuration;
  unsigned long cores = 0;
  std::vector<std::string> program;
  std::vector<std::string> unexpected;
};

/// Returns which options contradict each other, and what to do; empty if none do.
std::string contradiction(const plan_options& options);
std::string contradiction(const check_options& options);

weir::support::command add_plan_command(weir::support::command& of, plan_options& into);
weir::support::command add_check_command(weir::support::command& of, check_options& into);

/// Run the command. @return the exit code. @throws std::exception whose text is one line for the
/// user
int plan(const plan_options& options);
int check(const check_options& options);
