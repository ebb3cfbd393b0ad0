// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/process.hpp"

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

/// A program that does not outlive this process, however this process ends.
struct child_program {
  std::vector<std::string> words;  ///< the first is looked for in PATH
  std::vector<std::string> environment;
  program_streams streams;
  const sigset_t* mask = nullptr;  ///< of blocked signals
  int last_signal = SIGKILL;       ///< signal that it gets when this process has ended
  int cgroup = -1;                 ///< the cgroup.procs of the cgroup that it enters; -1: it stays in ours
  bool without_terminal = false;   ///< a Ctrl-C at the terminal does not reach the program, and it can't prompt
};

/// Starts the program. @return its process id. @throws std::runtime_error with one line for the
/// user
pid_t start_child(const child_program& program);

/// Returns the environment of this process, without WEIR_TOP and WEIR_TRACE.
std::vector<std::string> own_environment();

/// A pipe whose ends programs do not inherit. @throws std::runtime_error
struct pipe_ends {
  pipe_ends();
  int to_read;
  int to_write;
};
