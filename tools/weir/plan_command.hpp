// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "group_options.hpp"
#include "support/command_line.hpp"

#include <string>
#include <vector>

/// What `weir plan` was asked for.
struct plan_options {
  group_options groups;
  std::string configuration;  ///< a file that is to be completed; empty: none
  bool slurm = false;         ///< the hosts and their cores are those of the allocation of SLURM that we are in
  unsigned long cores = 0;    ///< that farms without a width have workers for; 0: the allocation's, or this machine's
  bool measure = false;
  std::string output;  ///< a file; empty: standard output
  std::vector<std::string> program;
  std::vector<std::string> unexpected;  ///< words before `--` that are no options
};

/// What `weir check` was asked for.
struct check_options {
  std::string configuration;
  unsigned long cores = 0;
  std::vector<std::string> program;
  std::vector<std::string> unexpected;
};

/// What makes no sense together, with what to do; empty if all does.
std::string contradiction(const plan_options& options);
std::string contradiction(const check_options& options);

weir::support::command add_plan_command(weir::support::command& of, plan_options& into);
weir::support::command add_check_command(weir::support::command& of, check_options& into);

/// Both: @return the exit code. @throws std::exception whose text is one line for the user
int plan(const plan_options& options);
int check(const check_options& options);
