// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "process.hpp"

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

/// A program that does not outlive us, however we end.
struct child_program {
  std::vector<std::string> words;  ///< the first is looked for in PATH
  std::vector<std::string> environment;
  program_streams streams;
  const sigset_t* mask = nullptr;  ///< of blocked signals
  int last_signal = SIGKILL;       ///< what it gets when we are gone
  int cgroup = -1;                 ///< the cgroup.procs of one that it is to be in; -1: of ours
  bool without_terminal = false;   ///< a Ctrl-C there does not reach it, and it can't ask for anything
};

/// Starts it. @return its process id. @throws std::runtime_error with one line for the user
pid_t start_child(const child_program& program);

/// Our environment.
std::vector<std::string> own_environment();

/// A pipe whose ends programs do not inherit. @throws std::runtime_error
struct pipe_ends {
  pipe_ends();
  int to_read;
  int to_write;
};
