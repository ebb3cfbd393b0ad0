// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/command_line.hpp"

#include <string>
#include <vector>

/// The options of `weir tune`.
struct tune_options {
  std::string output = "tune.json";
  unsigned long pairs = 3;  ///< number of compared pairs of runs, one without and one with the tuning
  std::vector<std::string> program;
  std::vector<std::string> unexpected;  ///< words before `--` that are no options
};

/// Adds the subcommand, which fills `into`.
weir::support::command add_tune_command(weir::support::command& of, tune_options& into);

/// Runs the program, chooses a tuning, compares runs without and with it, and writes it.
/// @throws std::exception whose text is one line for the user
void tune(const tune_options& options);
