// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The interface between `run` and `cluster`: what a run asks of its group, and what the group asks
// of the run.

#include "weir/detail/ports/loop.hpp"
#include "weir/detail/remote/link.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/report.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::detail {

/// The requests of other groups to a run. Any thread may call these functions; none blocks.
class run_control {
 public:
  /// Reports that a run elsewhere failed: this run ends with `problem`, unless it has failed
  /// itself.
  virtual void fail_from_outside(std::exception_ptr problem) noexcept = 0;
  virtual void cancel_from_outside() noexcept = 0;
  virtual void drain_from_outside() noexcept = 0;

 protected:
  ~run_control() = default;
};

/// A node that waits for another node. Paths are those of the whole network.
struct waiting_node {
  std::string path;
  std::string who;   ///< the node that waits: the node itself, or one of its chain
  std::string next;  ///< the node that it waits for
  std::string text;  ///< "/a waits for room in the channel to /b (16 of 16 items)"
};

/// State of a group as seen by one look at it: whether every node waits for another node, or for
/// other groups.
struct standstill {
  static constexpr std::size_t nodes_most = 1000;

  /// Number of times that the nodes have run so far, plus 1. 0: no standstill, some node can still
  /// run. If a later look finds the same number, nothing has run in between.
  std::uint64_t rounds = 0;
  /// Whether some nodes could end, because all consumers of their items have ended.
  bool some_can_end = false;
  /// Returns the nodes that wait, or the first of them. Valid only within the call of `looked`.
  std::function<std::vector<waiting_node>()> nodes{};
};

/// The report of a group on its part of a run, and the nodes and channels of the whole network to
/// which its rows belong.
struct group_report {
  report of;
  std::vector<node_id> nodes;        ///< `no_node` for a remote end
  std::vector<channel_id> channels;  ///< `no_channel` for the far end of a channel, which its sender counts
};

/// One run of a network in one group, as the rest of the run sees it. If it is destroyed before
/// `end` has returned, it withdraws from the run, which is a failure for the other groups.
class group_run {
 public:
  virtual ~group_run() = default;

  /// Returns the link of the remote end whose first channel is `first`.
  virtual std::shared_ptr<outgoing_link> outgoing(channel_id first) = 0;
  virtual std::shared_ptr<incoming_link> incoming(channel_id first) = 0;

  /// Registers `part`, this group's part of a loop of the whole network, until this run is
  /// destroyed. Call it before `join`.
  virtual loop_arbiter& take_part(loop_id id, loop& part) = 0;

  /// Reports that this group is ready, and waits until the others are. From then until `end` has
  /// returned, the functions of the run's control may be called.
  /// @param trace the file for a trace of this run, if this program asks for one; else empty
  /// @return whether the run is traced
  /// @throws graph_error if the other groups run another network; node_error if one of them can't
  /// begin
  virtual bool join(const std::string& trace) = 0;

  /// Sets the function that reports the state of this group's part so far, for monitors of the
  /// cluster. Any thread may call `ask`. Empty: no function; on return no call is in progress.
  virtual void let_ask(std::function<group_report()> ask) = 0;

  /// Called after each look at the run. There are about three looks a second, until the part of
  /// this group has ended.
  /// @param began when that look began
  /// @return whether the nodes that can end should do so now
  /// @throws std::bad_alloc; then it has done nothing
  virtual bool looked(std::chrono::steady_clock::time_point began, const standstill& found) = 0;

  // Any thread may call the following; none blocks.
  /// @param undecodable whether bytes from another group did not decode to an item
  virtual void failed(const std::string& path, const std::string& text, bool undecodable) noexcept = 0;
  virtual void cancelled() noexcept = 0;
  virtual void drained() noexcept = 0;

  /// How the trace of this group becomes a part of the trace of all groups.
  struct trace_part {
    std::string group;
    std::size_t number = 0;  ///< number of the group, from 0
    /// Converts a time of this process' steady clock to nanoseconds since the run began.
    std::function<std::int64_t(std::int64_t)> at;
    std::function<void(std::string_view)> take;  ///< receives events, in pieces
  };
  // For a traced run, each called once, before `end`.
  virtual trace_part begin_trace() = 0;
  virtual void end_trace(std::uint64_t dropped) = 0;

  /// Reports that the part of this group has ended, and waits for the parts of the others. @return
  /// in the result group the report of all groups, else `own.of`
  virtual report end(group_report own) = 0;
};

}  // namespace weir::detail
