// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The seam between `run` and `cluster`: what a run asks of its group, and the group of the run.

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

namespace weir {

/// What the other groups ask of a run. Any thread; nothing blocks.
class run_control {
 public:
  /// A run elsewhere failed: this one ends with `problem`, unless it has one of its own.
  virtual void fail_from_outside(std::exception_ptr problem) noexcept = 0;
  virtual void cancel_from_outside() noexcept = 0;
  virtual void drain_from_outside() noexcept = 0;

 protected:
  ~run_control() = default;
};

/// A node that waits for another one. Paths are those of the whole network.
struct waiting_node {
  std::string path;
  std::string who;   ///< waits: the node itself, or one that it is fused with
  std::string next;  ///< the node that it waits for
  std::string text;  ///< "/a waits for room in the channel to /b (16 of 16 items)"
};

/// A group in which every node waits for another one, or for other groups, as one look has found
/// it.
struct standstill {
  static constexpr std::size_t nodes_most = 1000;

  /// How often its nodes have run so far, and 1; 0: something goes on. If a later look finds the
  /// same number, nothing has run in between.
  std::uint64_t rounds = 0;
  /// Some nodes could end, because whoever takes what they send has ended.
  bool some_can_end = false;
  /// Those that wait, or the first of them. Only within the call of `looked`.
  std::function<std::vector<waiting_node>()> nodes{};
};

/// The report of a group on its part of a run, and which node and channel of the whole its rows are
/// about.
struct group_report {
  report of;
  std::vector<node_id> nodes;        ///< `no_node`: a remote end
  std::vector<channel_id> channels;  ///< `no_channel`: the far end of a channel, which its sender counts
};

/// One run of a network in one group, as the rest of the run sees it. Destroyed, it withdraws from
/// the run: to the others that is a failure, unless `end` has returned.
class group_run {
 public:
  virtual ~group_run() = default;

  /// The link for the remote end whose first channel this is.
  virtual std::shared_ptr<outgoing_link> outgoing(channel_id first) = 0;
  virtual std::shared_ptr<incoming_link> incoming(channel_id first) = 0;

  /// `part` is what lies here of a loop of the whole, until this run is destroyed. Before `join`.
  virtual loop_arbiter& take_part(loop_id id, loop& part) = 0;

  /// This group is ready. Waits until the others are. From then on the run's control may be called,
  /// until `end` has returned.
  /// @param trace the file for a trace of this run, if this program asks for one; else empty
  /// @return whether the run is traced
  /// @throws graph_error if the others run something else; node_error if one of them can't begin
  virtual bool join(const std::string& trace) = 0;

  /// From now on `ask`, called by any thread, says what the part of this group is like so far;
  /// empty: no more, and no call is under way. For those who watch the cluster.
  virtual void let_ask(std::function<group_report()> ask) = 0;

  /// Is called after each look at the run. There are about three in a second, until the part of
  /// this group has ended. @param began when that look began @return whether the nodes that can end
  /// are to do so now
  /// @throws std::bad_alloc; then it has done nothing
  virtual bool looked(std::chrono::steady_clock::time_point began, const standstill& found) = 0;

  // Any thread; nothing blocks:
  /// @param undecodable what came from another group was no item
  virtual void failed(const std::string& path, const std::string& text, bool undecodable) noexcept = 0;
  virtual void cancelled() noexcept = 0;
  virtual void drained() noexcept = 0;

  /// How the trace of this group becomes a part of that of all.
  struct trace_part {
    std::string group;
    std::size_t number = 0;  ///< which group, from 0
    std::function<std::int64_t(std::int64_t)>
        at;  ///< a time of this process' steady clock, as nanoseconds since the run began
    std::function<void(std::string_view)> take;  ///< gets events, in pieces
  };
  // Of a run that is traced, once, before `end`:
  virtual trace_part begin_trace() = 0;
  virtual void end_trace(std::uint64_t dropped) = 0;

  /// The part of this group has ended. Waits for those of the others. @return at home the report of
  /// all of them, else `own.of`
  virtual report end(group_report own) = 0;
};

}  // namespace weir
