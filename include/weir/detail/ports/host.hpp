// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/readiness.hpp"
#include "weir/detail/channel/sleepers.hpp"

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace weir {

/// What a port knows of the running node it belongs to, and of the one at the other end of a
/// channel. Executors derive from it.
class host {
 public:
  /// @param its_state of the activation that the node is run by, alone or with others
  /// @param sleeping the threads that must be told of an item at once, and calls to all senders
  /// @param called calls to all senders alone: while there is any, they ask at each item whether
  /// they may send
  /// @param stopping set when the run is cancelled
  /// @param draining set when its sources shall end
  /// All outlive the host.
  host(readiness& its_state, const sleepers& sleeping, const sleepers& called, const std::atomic<bool>& stopping,
       const std::atomic<bool>& draining)
      : state(its_state), sleeping_(sleeping), called_(called), stopping_(stopping), draining_(draining) {}
  host(const host&) = delete;
  host& operator=(const host&) = delete;

  /// Any thread, after a full fence that follows the news (see `basic_readiness`).
  void notify(cause why) noexcept {
    if (state.notify(why)) make_ready(why);
  }

  /// The runner, from inside user code: waits until there is room in what its out-ports wait for,
  /// without holding a core that others could use. Returns with the activation running.
  virtual void wait_in_place() = 0;

  /// The runner, from inside user code: lets the nodes behind it that this thread runs as well take
  /// what it has sent them.
  /// @return whether there are any
  virtual bool let_those_behind_run() = 0;

  /// As `stopping` and `draining` below, for whoever waits for something else and is to be told.
  virtual std::stop_token stop_token() const noexcept = 0;
  virtual std::stop_token drain_token() const noexcept = 0;

  bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }
  /// Whether a send must not go on: the run is cancelled, or drained and this is a source that only
  /// a send can end.
  bool refuses_to_send() const noexcept { return stopping() || (ends_when_drained && draining()); }
  bool draining() const noexcept { return draining_.load(std::memory_order_relaxed); }
  const std::atomic<bool>& stopping_flag() const noexcept { return stopping_; }
  const std::atomic<bool>& draining_flag() const noexcept { return draining_; }
  const sleepers& sleeping() const noexcept { return sleeping_; }
  const sleepers& called() const noexcept { return called_; }

  readiness& state;
  /// Whether from now on it sends only because of items that it takes: it has started, or, without
  /// an in-port, ended. Written by the runner (release).
  std::atomic<bool> reactive{false};
  /// How many of its out-ports have spilled. Written by the runner; a decrease is a release.
  std::atomic<std::uint32_t> spilling{0};
  /// Whether some consumer takes no more. Written by that one before it notifies.
  std::atomic<bool> lost_consumer{false};
  /// Whether it shall end when it waits and nobody takes what it sends. Set before it runs for a
  /// source, else if nothing else can happen any more, before it is notified.
  std::atomic<bool> ends_with_consumers{false};
  /// Whether it will be woken at some time, whatever comes until then. Written by the runner.
  std::atomic<bool> awaits_time{false};
  /// The node that lets it go on where it waits for room and has nothing to send; null if there is
  /// none.
  std::atomic<const host*> let_on_by{nullptr};
  bool ends_when_drained = false;  ///< set before it runs; for sources written as a loop
  /// Set before it runs. False: it is blocking, or on a thread of its own, and nobody misses that
  /// while it waits in place.
  bool has_core = true;
  /// Nanoseconds an item takes in the mean, lately; 0 when unknown. Written by the runner, read by
  /// its producers.
  std::atomic<std::uint32_t> item_cost{0};

 protected:
  ~host() = default;

 private:
  /// Hands the activation to a runner, through something that synchronizes with it (a lock, a
  /// parker). Called once for each time `state.notify` returned true.
  virtual void make_ready(cause why) noexcept = 0;

  const sleepers& sleeping_;
  const sleepers& called_;
  const std::atomic<bool>& stopping_;
  const std::atomic<bool>& draining_;
};

}  // namespace weir
