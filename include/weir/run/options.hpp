// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/erased.hpp"
#include "weir/passes/tuning.hpp"
#include "weir/run/trace.hpp"

#include <cstddef>
#include <stop_token>
#include <string_view>

namespace weir {

class group_member;

/// How the nodes of a network get threads.
enum class executor {
  pool,     ///< activations of nodes run on one worker thread per core; worker threads steal from each other
  threads,  ///< one thread per node: for nodes that share locks and barriers, or low latency with cores to spare
};

/// Whether threads stay on one core.
enum class pinning {
  off,  ///< the operating system places threads
  on,   ///< threads stay on the cores that `place` chose, unless there are more threads than cores
};

/// Options of a run.
struct run_options {
  weir::executor executor = weir::executor::pool;
  /// Worker threads of the pool. 0: the process-wide pool, with one thread per core that this
  /// process may use. Otherwise a pool for this run, of at most 16383 threads.
  std::size_t workers = 0;
  /// Largest number of threads at a time, including those that stand in for blocked worker threads;
  /// at least one more than there are workers. Reaching it is a `node_error`. In the process-wide
  /// pool the limit is that of all runs, and the latest run sets it.
  std::size_t max_threads = 4096;
  pinning pin = pinning::off;
  /// Runs neighbouring nodes as one node wherever possible. `fuse_neighbours` says which nodes
  /// these are, and what they must not do. Fusing is faster for light nodes, and costs parallelism
  /// for heavy ones.
  bool fuse = false;
  /// Choices for this network, made from a profile or by hand. If there are none, the choices that
  /// the environment names (WEIR_TUNING) apply. A width that was set on the network itself
  /// (`set_width`) takes precedence.
  tuning tuned = {};
  /// Cancels the run when stop is requested.
  std::stop_token stop = {};
  /// Drains the run when stop is requested. For signals use `stop_on`.
  ///
  /// A run, server or accelerator that a source begins before its `finish` is also drained with the
  /// source's run, unless it has a token here. If a run that `next` waits for was drained so, the
  /// item that `next` returns is dropped. One that another node begins belongs to its items,
  /// and is not. If only a drain can end it, pass `context::drain_token()` here.
  std::stop_token drain = {};
  /// Called about once a second from the thread that waits for the run. After the run was cancelled
  /// or failed, it gets the path of a node whose user code has not returned; after the run was
  /// drained, that of a source that has not ended or, if all have, of a node that has been in one
  /// call for a second. Any copyable callable; may be empty.
  detail::author_function<void (*)(void* call, std::string_view path)> on_waiting = {};
  /// Options of a trace. If they name no file, none is written, unless the environment asks for one
  /// (WEIR_TRACE).
  trace_options trace = {};
  /// The group of a cluster that runs it. Null: the group that the environment names (`weir run`),
  /// which most processes don't have.
  group_member* member = nullptr;
  /// Runs the network in this process only, even if the process is a group of a cluster. For work
  /// that a group does by itself between the runs of all groups.
  bool alone = false;
};

}  // namespace weir
