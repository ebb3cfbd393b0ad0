// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/coordinator.hpp"

#include "cluster/coordinator/roster.hpp"
#include "cluster/wire/handshake.hpp"
#include "cluster/wire/transport.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weir::cluster {

/// Decides which failure explains best what the coordinator has seen of the groups. The loss of a
/// connection is reported a moment later, because the exit status of a process explains more, and
/// the parent of the process reports that.
///
/// `failure` and `nobody_came` may be called by any thread; the rest belongs to the coordinator's
/// thread.
class blame {
 public:
  /// @param after_a_moment calls a function when the cause of a loss should be known
  /// @param tell called once, with the first failure
  blame(const roster& groups, std::function<void(std::function<void()>)> after_a_moment,
        std::function<void(const cluster_failure&)> tell);

  std::optional<cluster_failure> failure() const;
  /// Whether the processes of all groups have ended normally, and none has connected.
  bool nobody_came() const noexcept { return nobody_came_.load(std::memory_order_relaxed); }

  /// Keeps the failure, if it is the first one.
  void fail(const cluster_failure& what);
  /// The group has gone; `how` is how others saw this. Fails with the exit status of its process,
  /// if that is known.
  void gone(const member& who, const std::string& how);
  void gone_in_a_moment(const member& who, const std::string& how);

  /// A caller was not admitted. Any caller may claim the name of a group, so the refusal counts
  /// only if that group does not come up.
  void refused(const handshake_error& problem);
  /// The group has connected.
  void came(const member& who);
  /// The process of the group has ended. Follow this by one of the next two, when messages that are
  /// on their way have come.
  /// @param how exit status; empty: success, or not known
  void process_ended(const member& who, const std::string& how);
  void has_ended_unconnected(const member& who);
  void has_ended_connected(const member& who);
  /// The connection to the group is lost, for the reason `why`.
  void connection_lost(const member& who, const std::string& why, loss_cause cause);
  /// A group has lost its connection to another one, or could not make it.
  void connection_lost_between(const member& from, const to_coordinator::lost& message);
  /// The time is up in which all groups had to introduce themselves.
  void some_are_missing(std::chrono::milliseconds start_within);

 private:
  struct suspicion {
    bool came = false;                       // it has connected
    std::string why;                         // reason for the loss of its connection
    std::string how_it_ended;                // exit status of its process; empty: success, or not known
    bool ended_well_early = false;           // all groups do this if the program prints its help
    std::optional<cluster_failure> refused;  // refusal of a caller that claimed to be this group; not proven
  };

  suspicion& about(const member& who) { return suspicions_[who.number]; }

  const roster& groups_;
  const std::function<void(std::function<void()>)> after_a_moment_;
  const std::function<void(const cluster_failure&)> tell_;
  std::vector<suspicion> suspicions_;  // by group
  std::string refused_caller_;         // the last caller that was refused before it gave a name
  std::atomic<bool> nobody_came_{false};
  mutable std::mutex mutex_;  // guards the next member
  std::optional<cluster_failure> failure_;
};

}  // namespace weir::cluster
