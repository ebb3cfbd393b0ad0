// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/files.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

/// A cgroup (version 2) below the one of this process. No process that a run starts can leave it.
/// The cgroup is made only if it changes nothing else: our own cgroup must not enable controllers
/// for its children.
class run_cgroup {
 public:
  /// Must be called before there are other threads.
  /// @param name of the folder; if no cgroup can be made and entered, this object is empty
  explicit run_cgroup(const std::string& name);

  explicit operator bool() const { return static_cast<bool>(entrance_); }
  /// Descriptor to which a process writes "0" to enter the cgroup. -1: there is no cgroup.
  int entrance() const { return *entrance_; }
  std::vector<pid_t> processes() const;

  /// Kills all processes in the cgroup and in cgroups that were made below it. They may live for a
  /// moment longer; the caller repeats this until `remove` succeeds.
  void kill() const;
  /// Removes the cgroup if no process is in it. @return whether it is gone
  bool remove() const;
  /// Returns one line for the user, if the cgroup can't be removed.
  std::string what_is_left() const;

 private:
  std::string folder_;
  descriptor entrance_{-1};
};
