// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/command_line.hpp"

#include <string>
#include <vector>

/// The options of `weir top`.
struct top_options {
  std::string who;  ///< process id or socket; empty: the only program that listens
  double interval = 1;
  bool once = false;
  bool json = false;
  bool stacks = false;
  bool open_metrics = false;
  std::vector<std::string> program;  ///< the program and its arguments
};

/// Adds the subcommand, which fills `into`.
weir::support::command add_top_command(weir::support::command& of, top_options& into);

/// Returns which options contradict each other, and what to do; empty if none do.
std::string contradiction(const top_options& options);

/// Watches a program.
/// @return the exit code.
/// @throws interrupted; std::exception whose text is one line for the user
int show_top(const top_options& options);
