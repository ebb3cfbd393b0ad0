// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>
#include <weir/cluster/coordinator.hpp>

#include "group_traffic.hpp"
#include "host_session.hpp"
#include "launcher.hpp"
#include "leftovers.hpp"
#include "process.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What starts the groups of a run, and what they are started with. It outlives them.
struct launch_context {
  const launch_options& options;
  const held_signals& held;
  leftovers& left;
  const std::vector<std::unique_ptr<host_session>>& sessions;  ///< one on each host that is not this machine
  std::string address;                                         ///< at which groups find the coordinator
  std::string secret;
  weir::coordinator coordinator;
  group_traffic traffic;

  /// On the group's host; null: that is this machine, or nobody's.
  host_session* session_of(const weir::group_configuration& group) const;
  /// The program behind its group's command.
  std::vector<std::string> words_of(const weir::group_configuration& group) const;
  /// The program, as it is called where that leads to. @param there null: here
  std::vector<std::string> program_of(const host_session* there) const;

  using variables = std::vector<std::pair<std::string, std::string>>;
  /// What the processes of all groups find in their environment.
  variables variables_of_all() const;
  /// What a group's process does, and others do not.
  static variables variables_of(const weir::group_configuration& group);
};

/// Our environment with these variables in it.
std::vector<std::string> own_environment_with(const launch_context::variables& added);

/// "has ended with exit code 3", or by which signal; empty: it has ended well.
std::string how_it_ended(const process_end& end);
/// As a shell says it.
inline int code_of(const process_end& end) { return end.signal != 0 ? 128 + end.signal : end.code; }

/// Prints the cause of a failure.
/// @return the exit code that goes with it; none: how the group's process ended counts
std::optional<int> say(const weir::cluster_failure& failure);
/// Whether it says of a group that nothing is heard of it any more.
bool is_loss(weir::failure_kind kind);

/// The processes of the groups, from their start to their end.
class started_groups {
 public:
  virtual ~started_groups() = default;

  /// Whether a process of theirs still runs.
  virtual bool running() const = 0;
  /// Looks which processes have ended, and tells the coordinator.
  virtual void reap() = 0;
  /// Whether it waits for the end of this child.
  virtual bool has_started(pid_t child) const = 0;
  /// @param from_terminal then it has already come to all that is on this machine
  virtual void signal(int number, bool from_terminal) = 0;
  /// After a failure they end by themselves, and those that have not by then are asked to.
  virtual std::chrono::seconds asked_after() const { return std::chrono::seconds(2); }
  /// Once none of them runs. Prints the cause of a failure.
  /// @param asked whether they had to be asked to end
  virtual int exit_code(bool asked) = 0;
};
