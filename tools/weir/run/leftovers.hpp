// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/files.hpp"
#include "run/run_cgroup.hpp"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>

/// Ends the processes that the groups of a run leave behind on this machine: processes started by a
/// shell in front of the program, processes started by nodes, and processes that detached
/// themselves. They are ended with the run, and also when this process ends, in whatever way.
///
/// The processes are recognised by an environment variable that they have inherited; by the cgroup
/// in which the groups are started, if one can be made; and, while this process lives, by their
/// descent: a process that loses its parent becomes a child of this process.
class leftovers {
 public:
  /// Forks a process that waits for the death of this one. Must be called before there are other
  /// threads.
  /// @throws std::runtime_error
  leftovers();
  ~leftovers();
  leftovers(const leftovers&) = delete;
  leftovers& operator=(const leftovers&) = delete;

  /// Returns the name and the value of a variable for the environment of each group on this
  /// machine.
  std::pair<std::string, std::string> variable() const;
  /// Returns the value of `child_program::cgroup` for each group on this machine.
  int cgroup() const { return cgroup_.entrance(); }

  /// Called when all groups have ended. Sends SIGTERM to the processes that are left, and SIGKILL
  /// after a second.
  /// @param patience the time in which they may end by themselves
  void end(std::chrono::milliseconds patience);

  /// Reaps adopted children that have ended; `is_known` says whether another part waits for a
  /// child.
  void reap(const std::function<bool(pid_t)>& is_known) const;

  /// From now on all descendants of this process count, also those without the variable. Not to be
  /// called if there are connections to other hosts: ssh may leave a connection behind that other
  /// programs share.
  void count_all_descendants() { all_descendants_ = true; }

 private:
  const std::string mark_;
  run_cgroup cgroup_;
  bool all_descendants_ = false;
  descriptor alive_;  // the guard has the other end of this pipe
  pid_t guard_ = 0;
};

/// Environment variable with the marks of the runs that a process belongs to. Programs that nodes
/// start inherit it.
inline constexpr const char* run_variable = "RUN_OF_WEIR";
