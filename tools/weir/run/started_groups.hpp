// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>
#include <weir/cluster/coordinator.hpp>

#include "common/process.hpp"
#include "run/group_traffic.hpp"
#include "run/host_session.hpp"
#include "run/launcher.hpp"
#include "run/leftovers.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The options and objects with which the groups of a run are started. It outlives the groups.
struct launch_context {
  const launch_options& options;
  const held_signals& held;
  leftovers& left;
  const std::vector<std::unique_ptr<host_session>>& sessions;  ///< one on each host that is not this machine
  std::string address;                                         ///< at which groups find the coordinator
  std::string secret;
  weir::coordinator coordinator;
  group_traffic traffic;

  /// Returns the session on the group's host; null if the group runs here or on a host that its
  /// launcher chooses.
  host_session* session_of(const weir::group_configuration& group) const;
  /// Returns the words of the program, behind the command of its group.
  std::vector<std::string> words_of(const weir::group_configuration& group) const;
  /// Returns the words that call the program on that host. @param there null: this machine
  std::vector<std::string> program_of(const host_session* there) const;

  using variables = std::vector<std::pair<std::string, std::string>>;
  /// Returns the variables that are added to the environment of all groups.
  variables variables_of_all() const;
  /// Returns the variables that are added only to the environment of this group.
  static variables variables_of(const weir::group_configuration& group);
};

/// Returns the environment of this process with these variables added.
std::vector<std::string> own_environment_with(const launch_context::variables& added);

/// "has ended with exit code 3", or the signal that ended the process; empty if it ended well.
std::string how_it_ended(const process_end& end);
/// Returns the exit code by the convention of shells: 128 plus the signal's number after a signal.
inline int code_of(const process_end& end) { return end.signal != 0 ? 128 + end.signal : end.code; }

/// Prints the cause of a failure.
/// @return the exit code for this cause; none: the end of the group's process determines it
std::optional<int> say(const weir::cluster_failure& failure);
/// Whether the failure says that contact with a group was lost.
bool is_loss(weir::failure_kind kind);

/// The processes of the groups, from their start to their end.
class started_groups {
 public:
  virtual ~started_groups() = default;

  /// Whether one of the processes still runs.
  virtual bool running() const = 0;
  /// Looks which processes have ended, and tells the coordinator.
  virtual void reap() = 0;
  /// Whether this object waits for the end of this child.
  virtual bool has_started(pid_t child) const = 0;
  /// @param from_terminal if so, the processes on this machine have already received the signal
  virtual void signal(int number, bool from_terminal) = 0;
  /// After a failure the groups should end by themselves. Those that still run after this time are
  /// asked to end.
  virtual std::chrono::seconds asked_after() const { return std::chrono::seconds(2); }
  /// Prints the cause of a failure, once no process runs. @return the exit code.
  /// @param asked whether the processes had to be asked to end
  virtual int exit_code(bool asked) = 0;
};
