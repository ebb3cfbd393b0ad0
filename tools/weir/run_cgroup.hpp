// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

/// A cgroup (version 2) below ours, which whatever a run starts can't leave. Only where one may be
/// made that changes nothing else: ours hands no controllers on to those below it.
class run_cgroup {
 public:
  /// @param name of the folder; where there can be none, this is empty
  explicit run_cgroup(const std::string& name);

  explicit operator bool() const { return static_cast<bool>(entrance_); }
  /// A process that writes "0" to it is within. -1: there is none.
  int entrance() const { return *entrance_; }
  std::vector<pid_t> processes() const;

  /// Kills all that is within, also what others have put into cgroups of its own there.
  void kill() const;
  /// If no process is within. @return whether it is gone
  bool remove() const;

 private:
  std::string folder_;
  descriptor entrance_{-1};
};
