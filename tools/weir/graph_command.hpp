// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/command_line.hpp"

#include <string>
#include <vector>

/// What `weir graph` was asked for.
struct graph_options {
  bool svg = false;
  bool down = false;                    ///< from top to bottom
  bool measure = false;                 ///< with the counters of the first run, for which it is run to its end
  unsigned long run = 1;                ///< which `run()` of the program
  std::string report;                   ///< file; empty: none
  std::string output;                   ///< file; empty: standard output
  std::vector<std::string> program;     ///< and its arguments
  std::vector<std::string> unexpected;  ///< words before `--` that are no options
};

/// Adds the subcommand, which fills `into`.
weir::support::command add_graph_command(weir::support::command& of, graph_options& into);

/// Says which of them contradict each other; empty if none do.
std::string contradiction(const graph_options& options);

/// Draws the graph of a program. @throws std::exception whose text is one line for the user
void draw_graph(const graph_options& options);
