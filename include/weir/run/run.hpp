// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/graph/error.hpp"
#include "weir/graph/network.hpp"
#include "weir/run/options.hpp"
#include "weir/run/report.hpp"

#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

namespace weir {

/// Handle of a run in progress. Move-only; the destructor cancels the run and waits for its end.
/// One thread may call `wait`, once; any thread may call the other functions. Of a handle that
/// was moved from, `wait` and `report_so_far` throw std::logic_error, and the others do nothing.
/// The same holds in a forked child for a run that its parent has begun; the destructor returns at
/// once there.
class [[nodiscard]] WEIR_API running {
 public:
  running(running&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  running& operator=(running&& other) noexcept {
    running taken(std::move(other));
    std::swap(state_, taken.state_);
    return *this;
  }
  ~running();

  /// Waits for the end of the run. @throws node_error if a node failed
  report wait();

  /// Ends the run early: queued items are discarded, and no `finish` is called. `wait` then returns
  /// normally.
  void cancel() noexcept;

  /// Ends the sources, also those of runs that sources have begun, and lets the network process
  /// every item that was sent.
  void drain() noexcept;

  /// Returns the counters of nodes and channels at this moment, while the nodes continue to run.
  /// The counters are read one after the other, not all at the same instant. Items that a node
  /// takes are counted at once; items that a node makes in a step, and all counts of fused nodes,
  /// at the end of the step (`sent` is otherwise always up to date). After the end it returns the
  /// report that `wait` returned.
  report report_so_far() const;

  /// Returns the node_error that `wait` will throw; null if no node has failed so far.
  std::exception_ptr failure() const noexcept;

 private:
  friend running start(network&, const run_options&);
  class state;
  explicit running(state* owned) noexcept : state_(owned) {}
  state* state_;
};

/// Starts the network and returns at once. The network must outlive the handle.
/// @throws graph_error, before anything starts, if the graph can't work or its trace can't be
/// opened
WEIR_API running start(network& net, const run_options& options);
WEIR_API running start(network& net);

/// A temporary network would not outlive the handle, so this is a compile error.
template <class Network = network>
auto start(std::type_identity_t<Network>&& net, const run_options& options = {}) {
  static_assert(sizeof(Network) == 0,
                "weir: start takes a network that outlives the run, and this one is a temporary: give it a name, "
                "weir::network net = source | sink; auto now = weir::start(net); for a block with open ends include "
                "weir/serve/accelerator.hpp");
  return start(net, options);
}

/// Runs the network to its end. May be called again: the nodes keep their state. The network keeps
/// its channels, and the sleeping threads of a pool of its own if the options ask for one, for the
/// next run with the same executor, workers and pinning.
/// @throws graph_error before anything starts; node_error if a node failed (the original exception
/// is nested in it)
WEIR_API report run(network& net, const run_options& options);
WEIR_API report run(network& net);

/// As above, and destroys the network and its nodes afterwards.
WEIR_API report run(network&& net, const run_options& options);
WEIR_API report run(network&& net);

/// Returns the number of cores that this process may use, at least 1: those of its affinity mask,
/// and no more than the quota of its control groups (containers, systemd, SLURM), rounded up, as
/// read at the first call.
WEIR_API std::size_t available_cores() noexcept;

}  // namespace weir
