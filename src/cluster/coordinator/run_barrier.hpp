// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include "cluster/protocol/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::cluster {

/// Holds the groups until all are ready for a run, and until all are done with it. Groups are named
/// by their numbers. One thread.
class run_barrier {
 public:
  /// @param names the names of the groups, by number
  explicit run_barrier(std::vector<std::string> names) : names_(std::move(names)), groups_(names_.size()) {}

  /// Number of the run under way, or of the last one; 0: none so far.
  std::uint32_t run() const noexcept { return run_; }
  /// Whether the group is ready for a run, or in it.
  bool is_in_run(std::size_t group) const noexcept { return groups_[group].ready_for != groups_[group].done_with; }
  /// Whether the group has been ready for a run.
  bool has_come(std::size_t group) const noexcept { return groups_[group].ready_for != 0; }

  /// @throws protocol_error
  void ready(std::size_t group, to_coordinator::ready message);
  /// The group has said goodbye, so it is ready for no other run.
  void left(std::size_t group) noexcept { groups_[group].left = true; }
  /// @throws protocol_error if the group may not send this message about a run now
  template <class Message>
  void check_end(std::size_t group, const Message& message) const {
    check_end(group, message.run, message_name<Message>());
  }
  void done(std::size_t group) noexcept { groups_[group].done_with = run_; }
  bool all_are_done() const noexcept;

  struct next {
    enum class kind {
      none,            ///< the run that is asked for has begun, or some group is not ready for it
      begin,           ///< all are ready: run() has begun
      one_has_left,    ///< `group` has left, while others are ready for `run`
      networks_differ  ///< `group` runs another network than the first group
    };
    kind what = kind::none;
    std::size_t group = 0;
    std::uint32_t run = 0;
  };
  /// Begins the next run if all groups are ready for it.
  next begin_if_ready();

  /// Identifies the network that the group is ready to run.
  const std::string& fingerprint(std::size_t group) const noexcept { return groups_[group].fingerprint; }
  /// Returns the loops of the run, each with the groups that it has parts in.
  std::map<loop_id, std::set<std::string>> loops() const;
  /// Returns the file for a trace of the run that the program requests; empty: none. The request of
  /// the group `result_group` comes first.
  std::string trace_file(const std::string& result_group) const;

 private:
  struct group_state {
    std::uint32_t ready_for = 0;
    std::uint32_t done_with = 0;
    bool left = false;
    // For the run that it is ready for:
    std::string fingerprint;
    std::string trace;
    std::vector<loop_id> loops;
  };

  void check_end(std::size_t group, std::uint32_t run, std::string_view message) const;

  const std::vector<std::string> names_;
  std::vector<group_state> groups_;
  std::uint32_t run_ = 0;
};

}  // namespace weir::cluster
