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
  /// Worker threads of the pool. 0: the process-wide pool, one a core this process may use;
  /// otherwise a pool for this run, of at most 16383.
  std::size_t workers = 0;
  /// The most threads at a time, counting those that stand in for blocked ones; at least one more
  /// than there are workers. Reaching it is a `node_error`. In the process-wide pool it is a limit
  /// for all runs, and the latest run sets it.
  std::size_t max_threads = 4096;
  pinning pin = pinning::off;
  /// Neighbours run as one node wherever they can: see `fuse_neighbours` for which, and for what
  /// they must not do. That pays for light nodes; it costs parallelism where they are not.
  bool fuse = false;
  /// Choices about this network, made from a profile or by hand; where there are none, those that
  /// the environment names (WEIR_TUNING). A width that the network was given itself (`set_width`)
  /// stays.
  tuning tuned = {};
  /// Cancels the run when stop is requested.
  std::stop_token stop = {};
  /// Drains the run when stop is requested. For signals: `stop_on`.
  std::stop_token drain = {};
  /// Called about once a second from the waiting thread, after the run was cancelled or failed,
  /// with the path of a node whose user code has not come back; after it was drained, with that of
  /// a source that has not ended. Any copyable callable; may be empty.
  detail::author_function<void (*)(void* call, std::string_view path)> on_waiting = {};
  /// Without a file none is written, unless the environment asks for one (WEIR_TRACE).
  trace_options trace = {};
  /// The group of a cluster that runs it. Null: what the environment says (`weir run`), which for
  /// most processes is none.
  group_member* member = nullptr;
  /// In this process alone, also where it is a group of a cluster: for what a group does by itself
  /// between the runs of all.
  bool alone = false;
};

}  // namespace weir
