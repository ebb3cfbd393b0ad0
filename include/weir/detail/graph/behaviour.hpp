// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace weir {

class ports;

/// How a step of a node came to its end.
enum class progress {
  more,           ///< the budget is used up; there may be more to do
  waiting_input,  ///< nothing to take
  waiting_room,   ///< an out-port has spilled: no more until that has drained
  ended,          ///< the node has nothing more to do in this run
};

/// What a node does, untyped: the callback that executors run. Blocks make behaviours out of
/// lambdas and classes; front ends of other kinds derive from it directly.
///
/// **Threads.** Calls on one behaviour never overlap, and each sees what the one before it did, but
/// they may come from different threads. **Errors.** What a call throws ends the run as
/// `node_error`, but `weir::stopped`, which ends the node.
class behaviour {
 public:
  behaviour() = default;
  behaviour(const behaviour&) = delete;
  behaviour& operator=(const behaviour&) = delete;
  virtual ~behaviour() = default;

  /// Once per run, before the first step. May send.
  virtual void start(ports&) {}

  /// Takes at most about `budget` items (or makes that many), and returns early when it must wait.
  virtual progress step(ports&, std::size_t budget) = 0;

  /// At the head of a loop (see `loop`), whenever nothing is on its way any more in it and in the
  /// loops around it. May send; if no head sends anything into a loop, the loops end.
  virtual void quiet(ports&) {}

  /// When `on_deadline` is due: nanoseconds of std::chrono::steady_clock, or `no_deadline`. Asked
  /// after each step, and while nothing comes again at that time; not for a source. In a loop it
  /// must be `no_deadline`.
  virtual std::int64_t deadline() { return no_deadline; }
  static constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

  /// Once the deadline has passed, between two steps, and again until `deadline` says a later time.
  /// May send.
  virtual void on_deadline(ports&) {}

  /// Whether `deadline` may ever be another than `no_deadline`; asked once, before the run.
  virtual bool has_deadlines() const noexcept { return false; }

  /// Once per run, after `step` returned `ended` or threw `stopped` because its consumers have
  /// ended; not after an error or a cancellation. May send.
  virtual void finish(ports&) {}

  /// Instead of `finish`, where the run failed or was cancelled; maybe before `start` was called.
  /// May not send.
  virtual void abort(ports&) noexcept {}
};

}  // namespace weir
