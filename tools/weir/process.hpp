// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

/// How a process ended.
struct process_end {
  int code = 0;    ///< its exit code
  int signal = 0;  ///< that ended it; 0 if it ended by itself

  std::string signal_name() const;
};

/// A program that does not exist or can't be executed; the text is the system's reason.
struct cannot_start : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// We were asked to end, by this signal, while we waited for a program; it has ended.
struct interrupted : std::runtime_error {
  explicit interrupted(int number) : std::runtime_error("interrupted"), signal(number) {}
  int signal;
};

/// Runs a program, found in PATH, with an empty standard input and with standard error as its standard output too.
///
/// It shares our process group, so that a Ctrl-C at the terminal reaches it; a signal that only we get is passed on.
/// @throws cannot_start, interrupted
process_end run_to_the_end(const std::vector<std::string>& program);

/// Runs a program with `input` as its standard input; what it prints becomes `output`. @throws cannot_start
process_end pipe_through(const std::vector<std::string>& program, const std::string& input, std::string& output);
