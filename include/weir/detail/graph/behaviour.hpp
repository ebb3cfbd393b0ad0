// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace weir::detail {

class ports;

/// Result of a step of a node.
enum class progress {
  more,           ///< the budget is used up; there may be more to do
  waiting_input,  ///< no item can be taken
  waiting_room,   ///< an out-port has spilled, or the node waits for another event that notifies `cause::room`
  ended,          ///< the node has nothing more to do in this run
};

/// The untyped work of a node: the callbacks that executors run. Blocks make behaviours from
/// lambdas and classes. Other front ends derive from this class directly.
///
/// **Threads.** Calls on one behaviour never overlap, and each call sees the effects of the
/// previous one, but they may come from different threads. **Errors.** An exception thrown by a
/// call ends the run as a `node_error`. The exception `weir::stopped` ends only the node.
class WEIR_API behaviour {
 public:
  behaviour() = default;
  behaviour(const behaviour&) = delete;
  behaviour& operator=(const behaviour&) = delete;
  virtual ~behaviour() = default;

  /// Called once per run, before the first step. May send.
  virtual void start(ports&) {}

  /// Takes at most about `budget` items (a source: makes that many). Returns early when it must
  /// wait.
  virtual progress step(ports&, std::size_t budget) = 0;

  /// Called at the head of a loop (see `loop`), whenever no items are under way in the loop and in
  /// the loops around it. May send. If no head sends anything into a loop, the loops end.
  virtual void quiet(ports&) {}

  /// Returns the time at which `on_deadline` is due: nanoseconds of std::chrono::steady_clock, or
  /// `no_deadline`. Called after each step and, if no input comes until then, again at that time.
  /// Not called for a source. In a loop it must return `no_deadline`.
  virtual std::int64_t deadline() { return no_deadline; }
  static constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

  /// Called once the deadline has passed, between two steps, and again until `deadline` returns a
  /// later time. May send.
  virtual void on_deadline(ports&) {}

  /// Returns whether `deadline` may ever return a value other than `no_deadline`. Called once,
  /// before the run.
  virtual bool has_deadlines() const noexcept { return false; }

  /// Called once per run, after `step` has returned `ended`, or has thrown `stopped` because the
  /// node's consumers have ended. Not called after an error or a cancellation. May send.
  virtual void finish(ports&) {}

  /// Called in place of `finish` if the run failed or was cancelled, possibly before `start` was
  /// called. May not send.
  virtual void abort(ports&) noexcept {}
};

}  // namespace weir::detail
