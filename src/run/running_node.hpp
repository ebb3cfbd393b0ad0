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

namespace weir {

class activation;

/// What the activations of one run share.
class run_context {
 public:
  /// A node failed. The first failure counts; every activation is then told to stop.
  virtual void fail(const std::string& path, std::exception_ptr problem) noexcept = 0;

  /// An activation has ended, and no thread is inside it any more.
  virtual void one_ended() noexcept = 0;

  std::atomic<bool> stopping{false};
  std::atomic<bool> draining{false};
  // Requested after the flags are set, by whoever holds no lock: callbacks of authors are called.
  // New for each run.
  std::stop_source stop_source;
  std::stop_source drain_source;

  /// The run whose node, or a piece of a join in it, this thread runs; null elsewhere.
  static run_context* of_this_thread() noexcept;

 protected:
  ~run_context() = default;
};

/// One node while it runs: its behaviour, its ports, how far it has come, and its counters. The
/// runner of its activation only, but for what `host` says and `fill`.
class running_node final : public host {
 public:
  using clock = std::chrono::steady_clock;

  /// @param within what runs it, alone or with others
  running_node(run_context& run, activation& within, behaviour& what, const node_description& node);

  /// Its turn: takes and sends what it can, at most about `budget` items. Closes it when it ends.
  /// Never throws: what its behaviour throws fails the run.
  progress take_turn(std::size_t budget) noexcept;

  /// It misses its turn, and must have another one.
  void miss_turn() noexcept {
    if (phase_ != phase::ended) last_ = progress::more;
  }

  std::stop_token stop_token() const noexcept override { return run_.stop_source.get_token(); }
  std::stop_token drain_token() const noexcept override { return run_.drain_source.get_token(); }

  /// How many items it should take in a turn, so that others get theirs.
  std::size_t budget() const noexcept;

  /// What its last turn said.
  progress last() const noexcept { return last_; }

  /// Moves on what has spilled.
  /// @return whether nothing is left.
  /// @throws stopped, and what the author's functions throw
  bool drain();

  /// Whether some spilled item could go on already; if not, its consumers tell when it can.
  bool ask_for_room();

  /// It never had a turn, and will not have one.
  void close() noexcept;

  // ---- counters ----

  void begin_turn(clock::time_point at) noexcept { stepping_since_.set(at.time_since_epoch().count()); }
  /// Also counts what was done for the turn afterwards. @return how many items it took
  std::uint64_t end_turn(clock::time_point from, clock::time_point to) noexcept;

  /// In the middle of a turn it waits, or lets others run.
  void wait_begins(clock::time_point at) noexcept { waiting_in_place_since_.set(at.time_since_epoch().count()); }
  /// @param away how long that was; @param waited how much of it for room
  void wait_ends(clock::duration away, clock::duration waited) noexcept {
    waiting_in_place_since_.set(0);
    away_.add(away.count());
    waited_for_room_.add(waited.count());
  }

  /// Any thread: when its current turn began, by the clock; 0 if it is in none.
  clock::rep in_turn_since() const noexcept { return stepping_since_.get(); }

  /// Any thread: adds what it did to `r`. @return whether it is in a turn
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
  clock::time_point alarm_at_{};  // if that is still to come, its alarm is set to it

  // Times are those of `clock`, 0 for never.
  mean_cost cost_;
  counter<std::uint64_t> items_;  // as of the last turn
  counter<std::uint64_t> turns_;
  counter<clock::rep> busy_;
  counter<clock::rep> waited_for_room_;         // in the middle of turns
  counter<clock::rep> stepping_since_;          // of the current turn
  counter<clock::rep> away_;                    // in the current turn: it waited, or others had turns
  counter<clock::rep> waiting_in_place_since_;  // of the current turn
};

}  // namespace weir
