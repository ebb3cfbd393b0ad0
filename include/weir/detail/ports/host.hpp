// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/readiness.hpp"
#include "weir/detail/channel/sleepers.hpp"
#include "weir/export.hpp"

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace weir::detail {

/// The requests to all nodes of a run. They are in one word, because a source looks at it after
/// each item. Any thread may make and read them; no other data is published with them.
class run_requests {
 public:
  /// The word: 0 while there is no request.
  using word = std::atomic<std::uint8_t>;

  void clear() noexcept { word_.store(0, std::memory_order_relaxed); }
  /// Cancels the run. Returns whether this is the first such request.
  bool stop() noexcept { return (word_.fetch_or(stop_bit) & stop_bit) == 0; }
  /// Asks the sources to end. Returns whether this is the first such request.
  bool drain() noexcept { return (word_.fetch_or(drain_bit) & drain_bit) == 0; }

  bool stopping() const noexcept { return (word_.load(std::memory_order_relaxed) & stop_bit) != 0; }
  bool draining() const noexcept { return (word_.load(std::memory_order_relaxed) & drain_bit) != 0; }
  const word& both() const noexcept { return word_; }

 private:
  static constexpr std::uint8_t stop_bit = 1;
  static constexpr std::uint8_t drain_bit = 2;

  word word_{0};
};

/// The state of a running node that its own ports use, and the ports at the other ends of its
/// channels. Executors derive from it.
class WEIR_API host {
 public:
  /// @param its_state state of the activation that runs the node, alone or with other nodes
  /// @param sleeping the threads that must be told of an item at once, and the calls to all senders
  /// @param called only the calls to all senders: while there is a call, senders check at each item
  /// whether they may send
  /// @param requests the requests to all nodes of the run
  /// All references must outlive the host.
  host(readiness& its_state, const sleepers& sleeping, const sleepers& called, const run_requests& requests)
      : state(its_state), sleeping_(sleeping), called_(called), requests_(requests) {}
  host(const host&) = delete;
  host& operator=(const host&) = delete;

  /// Any thread may call it, after a full fence that follows the news (see `basic_readiness`).
  void notify(cause why) noexcept {
    if (state.notify(why)) make_ready(why);
  }

  /// For the runner, from inside user code: waits until there is room in the channels that its
  /// out-ports wait for. Does not occupy a core meanwhile. Returns with the activation running.
  virtual void wait_in_place() = 0;

  /// For the runner, from inside user code: runs the consumers that this thread runs as well, so
  /// that they take the items sent to them.
  /// @return whether there are such consumers
  virtual bool let_those_behind_run() = 0;

  /// Same as `stopping` and `draining` below, for code that waits for another event and must be
  /// notified.
  virtual std::stop_token stop_token() const noexcept = 0;
  virtual std::stop_token drain_token() const noexcept = 0;

  bool stopping() const noexcept { return requests_.stopping(); }
  /// Returns whether a send must fail: the run is cancelled, or the run is draining and this node
  /// is a source that only a failing send can end.
  bool refuses_to_send() const noexcept { return stopping() || (ends_when_drained && draining()); }
  bool draining() const noexcept { return requests_.draining(); }
  const run_requests& requests() const noexcept { return requests_; }
  const sleepers& sleeping() const noexcept { return sleeping_; }
  const sleepers& called() const noexcept { return called_; }

  readiness& state;
  /// Whether from now on the node sends only in reaction to items that it takes. True once it has
  /// started or, if it has no in-port, once it has ended. Written by the runner (release).
  std::atomic<bool> reactive{false};
  /// Number of its out-ports that have spilled. Written by the runner. A decrease is a release.
  std::atomic<std::uint32_t> spilling{0};
  /// Whether a consumer takes no more items. The consumer writes it before it notifies.
  std::atomic<bool> lost_consumer{false};
  /// Whether the node must end when it waits and no consumer takes its items. For a source it is
  /// set before the source runs. For other nodes it is set once no other progress is possible,
  /// before the node is notified.
  std::atomic<bool> ends_with_consumers{false};
  /// Whether a run that this source began to make its item was drained with the run around it. Then
  /// the item is made of a part of what it should be, and isn't sent. Only set while the run
  /// drains, by the runner or in a piece of its joins.
  std::atomic<bool> has_partial_item{false};
  /// Whether the node is certain to be woken at some time, by an event other than input or room.
  /// Written by the runner.
  std::atomic<bool> awaits_time{false};
  /// The node that makes this node continue when it waits for room and has nothing to send. Null if
  /// there is none.
  std::atomic<const host*> let_on_by{nullptr};
  bool ends_when_drained = false;  ///< set before the node runs; true for sources written as a loop
  /// Set before the node runs. False if the node is blocking or has a thread of its own: then its
  /// waiting in place takes no core from other nodes.
  bool has_core = true;
  /// Recent mean processing time of an item in nanoseconds; 0 if unknown. Written by the runner,
  /// read by its producers.
  std::atomic<std::uint32_t> item_cost{0};

 protected:
  ~host() = default;

 private:
  /// Hands the activation to a runner, by an operation that synchronises with the runner (a lock, a
  /// parker). Called once each time that `state.notify` has returned true.
  virtual void make_ready(cause why) noexcept = 0;

  const sleepers& sleeping_;
  const sleepers& called_;
  const run_requests& requests_;
};

}  // namespace weir::detail
