// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/error.hpp"
#include "weir/graph/network.hpp"
#include "weir/run/options.hpp"
#include "weir/run/report.hpp"

#include <cstddef>
#include <exception>
#include <utility>

namespace weir {

/// A run under way. Move-only; the destructor cancels and waits. One thread may call `wait`, once;
/// any thread the rest.
class [[nodiscard]] running {
 public:
  running(running&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  running& operator=(running&& other) noexcept {
    running taken(std::move(other));
    std::swap(state_, taken.state_);
    return *this;
  }
  ~running();

  /// Waits for the end. @throws node_error if a node failed
  report wait();

  /// Ends the run early: what is queued is discarded, no `finish` is called. `wait` then returns
  /// normally.
  void cancel() noexcept;

  /// Ends the sources and lets everything that was sent finish.
  void drain() noexcept;

  /// The counters at this moment, of nodes and channels, while the nodes go on: each was true a
  /// moment ago, not all at the same. What a node does within a step is counted at once where it
  /// takes items; where it makes them, and of fused nodes, at the end of the step (`sent` is
  /// otherwise always up to date). After the end: what `wait` returned.
  report report_so_far() const;

  /// The node_error that `wait` is going to throw; null if no node has failed so far.
  std::exception_ptr failure() const noexcept;

 private:
  friend running start(network&, const run_options&);
  class state;
  explicit running(state* owned) noexcept : state_(owned) {}
  state* state_;
};

/// Starts the network and returns at once; it must outlive the handle.
/// @throws graph_error if the graph can't work, or its trace can't be opened, before anything
/// starts
running start(network& net, const run_options& options);
running start(network& net);

/// Runs the network to its end. May be called again: the nodes keep their state. Channels, and
/// threads where the options ask for a pool of its own, are kept with the network for a next run
/// with the same executor, workers and pinning; its threads sleep.
/// @throws graph_error before anything starts; node_error if a node failed (the original is nested
/// in it)
report run(network& net, const run_options& options);
report run(network& net);

/// As above; the network and its nodes are gone afterwards.
report run(network&& net, const run_options& options);
report run(network&& net);

/// The cores this process may use, at least 1: those of its affinity mask, and no more than the
/// quota of its control groups (containers, systemd, SLURM), rounded up, as it was at the first
/// call.
std::size_t available_cores() noexcept;

}  // namespace weir
