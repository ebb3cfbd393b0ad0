// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"
#include "run_cgroup.hpp"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>

/// Processes that the groups of a run leave behind on this machine: what a shell in front of the
/// program had started, what nodes have started, and what detached itself. It ends with the run,
/// and with this process, however that ends.
///
/// All of it is known by a variable that it has inherited, by the cgroup that the groups are
/// started in, where we may make one, and, while this process lives, by its descent: what loses its
/// parent becomes a child of ours.
class leftovers {
 public:
  /// Before there are other threads: forks a process that waits for the death of this one.
  /// @throws std::runtime_error
  leftovers();
  ~leftovers();
  leftovers(const leftovers&) = delete;
  leftovers& operator=(const leftovers&) = delete;

  /// For the environment of each group here: a name and a value.
  std::pair<std::string, std::string> variable() const;
  /// For each group here: what child_program has it for.
  int cgroup() const { return cgroup_.entrance(); }

  /// When all groups have ended: asks what is left to end, and kills it after a second.
  /// @param patience in which it may end by itself
  void end(std::chrono::milliseconds patience);

  /// Takes back children that have ended and were adopted; `is_known` says who waits for a child.
  void reap(const std::function<bool(pid_t)>& is_known) const;

  /// Without the variable, too, is what descends from us. Not where there are ways to other hosts:
  /// ssh may leave a connection behind that others share.
  void count_all_descendants() { all_descendants_ = true; }

 private:
  const std::string mark_;
  run_cgroup cgroup_;
  bool all_descendants_ = false;
  descriptor alive_;  // the other end of this pipe is the guard's
  pid_t guard_ = 0;
};

/// A variable of the environment: the marks of the runs that a process belongs to. Programs that
/// nodes start inherit it.
inline constexpr const char* run_variable = "RUN_OF_WEIR";
