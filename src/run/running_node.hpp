// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/ports.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/report.hpp"

#include "run/counter.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <stop_token>
#include <string>

namespace weir::detail {

class activation;

/// State and services that the activations of one run share.
///
/// **What a node begins.** A node may begin runs, also those of servers and accelerators. A cancel
/// or failure of its own run cancels all of them. A drain belongs to the sources: it drains what a
/// source begins to make its items (`running_node::makes_items`), and nothing that another node
/// begins, because that is work on items that the drain promises to finish. The item that such a
/// source makes of a drained run is dropped (`host::has_partial_item`), because it is no whole one.
/// A run with a drain token of its own is drained by that token alone.
///
/// **Invariant.** The node and its phase decide when the run begins, never the time of the drain.
/// So there is no moment at which a drain may miss a run: the run follows `drain_source`, which is
/// either requested later, or already, and then its sources end at once.
class run_context {
 public:
  /// Reports that a node has failed. The first failure counts; every activation is then told to
  /// stop.
  virtual void fail(const std::string& path, std::exception_ptr problem) noexcept = 0;

  /// Reports that an activation has ended, and that no thread is inside it any more.
  virtual void one_ended() noexcept = 0;

  run_requests requests;
  // Requested after the flag in `requests` is set, by a thread that holds no lock, because
  // callbacks of user code are called. New for each run.
  std::stop_source stop_source;
  std::stop_source drain_source;

 protected:
  ~run_context() = default;
};

/// One node while it runs: its behaviour, its ports, its progress, and its counters. Only the
/// runner of its activation may use it, except for `fill` and what `host` allows.
class running_node final : public host {
 public:
  using clock = std::chrono::steady_clock;

  /// @param within the activation that runs it, alone or with other nodes
  running_node(run_context& run, activation& within, behaviour& what, const node_description& node);

  /// Takes a turn: takes and sends at most about `budget` items. Closes the node when it ends.
  /// Never throws: an exception of its behaviour fails the run.
  progress take_turn(std::size_t budget) noexcept;

  /// Notes that it misses its turn, and must have another one.
  void miss_turn() noexcept {
    if (phase_ != phase::ended) last_ = progress::more;
  }

  std::stop_token stop_token() const noexcept override { return run_.stop_source.get_token(); }
  std::stop_token drain_token() const noexcept override { return run_.drain_source.get_token(); }

  /// Returns how many items it should take in a turn, so that other nodes get their turns.
  std::size_t budget() const noexcept;

  /// Whether it is a source that still makes items. A drain ends what it begins meanwhile, but not
  /// what its `finish` begins. For the runner, and for pieces of its joins.
  bool makes_items() const noexcept { return io.ins() == 0 && (phase_ == phase::starting || phase_ == phase::running); }

  /// Result of its last turn.
  progress last() const noexcept { return last_; }

  /// Moves spilled items on.
  /// @return whether none is left
  /// @throws stopped, and exceptions of user code
  bool drain();

  /// Whether some spilled item could go on already. If not, its consumers notify when it can.
  bool ask_for_room();

  /// Closes a node that never had a turn, and will not have one.
  void close() noexcept;

  // ---- counters ----

  void begin_turn(clock::time_point at) noexcept { stepping_since_.set(at.time_since_epoch().count()); }
  /// Ends the turn. Also counts what was done for the turn afterwards. @return number of items it
  /// took
  std::uint64_t end_turn(clock::time_point from, clock::time_point to) noexcept;

  /// Called when it waits in the middle of a turn, or lets other nodes run.
  void wait_begins(clock::time_point at) noexcept { waiting_in_place_since_.set(at.time_since_epoch().count()); }
  /// @param away duration of the interruption @param waited the part of it spent waiting for room
  void wait_ends(clock::duration away, clock::duration waited) noexcept {
    waiting_in_place_since_.set(0);
    away_.add(away.count());
    waited_for_room_.add(waited.count());
  }

  /// Begin of its current turn, by the clock; 0 if it is in none. Any thread.
  clock::rep in_turn_since() const noexcept { return stepping_since_.get(); }

  /// Adds its counters to `r`. Any thread. @return whether it is in a turn
  bool fill(node_report& r) const noexcept;

  ports io;

 private:
  enum class phase : std::uint8_t { starting, running, finishing, draining, ended };

  void make_ready(cause why) noexcept override;
  void wait_in_place() override;
  bool let_those_behind_run() override;
  progress advance(std::size_t budget);
  bool sends_to_nobody_for_ever() const noexcept;
  progress step(std::size_t budget);
  progress keep_deadline(progress how);
  progress guarded_advance(std::size_t budget) noexcept;
  void begin_finish() noexcept;
  void discard() noexcept;

  run_context& run_;
  activation& within_;
  behaviour& what_;
  phase phase_ = phase::starting;
  progress last_ = progress::more;
  const bool timed_;
  clock::time_point alarm_at_{};  // time to which its alarm is set, if that is still to come

  // Times are those of `clock`; 0 means never.
  mean_cost cost_;
  counter<std::uint64_t> items_;  // as of the last turn
  counter<std::uint64_t> turns_;
  counter<clock::rep> busy_;
  counter<clock::rep> waited_for_room_;         // in the middle of turns
  counter<clock::rep> stepping_since_;          // for the current turn
  counter<clock::rep> away_;                    // time in the current turn when it waited, or other nodes had turns
  counter<clock::rep> waiting_in_place_since_;  // for the current turn
};

}  // namespace weir::detail
