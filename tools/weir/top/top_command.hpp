// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/command_line.hpp"

#include <chrono>
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
  std::string web;                   ///< `[ADDRESS:]PORT` of the page; empty: no page
  std::vector<std::string> program;  ///< the program and its arguments

  /// Returns the interval, in whole milliseconds.
  std::chrono::milliseconds pause() const { return std::chrono::milliseconds(static_cast<long>(interval * 1000)); }
};

/// Adds the subcommand, which fills `into`.
weir::support::command add_top_command(weir::support::command& of, top_options& into);

/// Returns which options contradict each other, and what to do; empty if none do.
std::string contradiction(const top_options& options);

/// Watches a program on the terminal, or prints what it does.
/// @return the exit code.
/// @throws interrupted; std::exception whose text is one line for the user
int show_top(const top_options& options);
