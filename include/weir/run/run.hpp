// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/error.hpp"
#include "weir/graph/network.hpp"
#include "weir/passes/tuning.hpp"
#include "weir/run/report.hpp"
#include "weir/run/trace.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

namespace weir {

class group_member;

enum class executor {
  pool,     ///< activations on one worker thread a core, which steal from each other
  threads,  ///< one thread per node: for nodes that share locks and barriers, or latency with cores to spare
};

enum class pinning {
  off,  ///< the operating system places threads
  on,   ///< threads stay on the cores that `place` chose, unless they outnumber the cores
};

struct run_options {
  weir::executor executor = weir::executor::pool;
  /// Worker threads of the pool. 0: the process-wide pool, one a core this process may use; otherwise a pool for this run.
  std::size_t workers = 0;
  /// The most threads at a time, counting those that stand in for blocked ones; at least one more than there are workers.
  /// Reaching it is a `node_error`. In the process-wide pool it is a limit for all runs, and the latest run sets it.
  std::size_t max_threads = 4096;
  pinning pin = pinning::off;
  /// Neighbours run as one node wherever they can: see `fuse_neighbours` for which, and for what they must not do. That pays for
  /// light nodes; it costs parallelism where they are not.
  bool fuse = false;
  /// Choices about this network, made from a profile or by hand; where there are none, those that the environment names
  /// (WEIR_TUNING). A width that the network was given itself (`set_width`) stays.
  tuning tuned = {};
  /// Cancels the run when stop is requested.
  std::stop_token stop = {};
  /// Called about once a second from the waiting thread, after the run was cancelled or failed, with the path of a node
  /// whose user code has not come back; after it was drained, with that of a source that has not ended. May be empty.
  std::function<void(std::string_view path)> on_waiting = {};
  /// Without a file none is written, unless the environment asks for one (WEIR_TRACE).
  trace_options trace = {};
  /// The group of a cluster that runs it. Null: what the environment says (`weir run`), which for most processes is none.
  group_member* member = nullptr;
  /// In this process alone, also where it is a group of a cluster: for what a group does by itself between the runs of all.
  bool alone = false;
};

/// A run under way. Move-only; the destructor cancels and waits. One thread may call `wait`, once; any thread the rest.
class running {
 public:
  running(running&&) noexcept;
  running& operator=(running&&) noexcept;
  ~running();

  /// Waits for the end. @throws node_error if a node failed
  report wait();

  /// Ends the run early: what is queued is discarded, no `finish` is called. `wait` then returns normally.
  void cancel() noexcept;

  /// Ends the sources and lets everything that was sent finish.
  void drain() noexcept;

  /// The counters at this moment, of nodes and channels, while the nodes go on: each was true a moment ago, not all at the same.
  /// What a node does within a step is counted at once where it takes items; where it makes them, and of fused nodes, at the end
  /// of the step (`sent` is otherwise always up to date). After the end: what `wait` returned.
  report report_so_far() const;

  /// The node_error that `wait` is going to throw; null if no node has failed so far.
  std::exception_ptr failure() const noexcept;

 private:
  friend running start(network&, run_options);
  class state;
  explicit running(std::unique_ptr<state>) noexcept;
  std::unique_ptr<state> state_;
};

/// Starts the network and returns at once; it must outlive the handle.
/// @throws graph_error if the graph can't work, or its trace can't be opened, before anything starts
running start(network& net, run_options options = {});

/// Runs the network to its end. May be called again: the nodes keep their state. Channels, and threads where the options ask for
/// a pool of its own, are kept with the network for a next run with the same executor, workers and pinning; its threads sleep.
/// @throws graph_error before anything starts; node_error if a node failed (the original is nested in it)
report run(network& net, run_options options = {});

/// As above; the network and its nodes are gone afterwards.
report run(network&& net, run_options options = {});

/// The cores this process may use (its affinity mask), at least 1.
std::size_t available_cores() noexcept;

}  // namespace weir
