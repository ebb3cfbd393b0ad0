// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/command_line.hpp"

#include <string>
#include <vector>

/// The options of `weir graph`.
struct graph_options {
  bool svg = false;
  bool down = false;                    ///< drawn from top to bottom
  bool measure = false;                 ///< adds the counters of the first run; the program is then run to its end
  unsigned long run = 1;                ///< number of the `run()` in the program
  std::string report;                   ///< file; empty: none
  std::string output;                   ///< file; empty: standard output
  std::vector<std::string> program;     ///< the program and its arguments
  std::vector<std::string> unexpected;  ///< words before `--` that are no options
};

/// Adds the subcommand, which fills `into`.
weir::support::command add_graph_command(weir::support::command& of, graph_options& into);

/// Returns which options contradict each other; empty if none do.
std::string contradiction(const graph_options& options);

/// Draws the graph of a program. @throws std::exception whose text is one line for the user
void draw_graph(const graph_options& options);
