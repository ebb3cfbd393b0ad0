// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace weir {

/// The trace of a run: when each thread ran which node, and what each node waited for, as a file
/// that ui.perfetto.dev and chrome://tracing open (Trace Event Format, JSON).
struct trace_options {
  /// Where it is written, when the run has ended; compressed if the name ends in `.gz`. What is
  /// there before is replaced. Empty: no trace. A file that can't be opened is a `graph_error`
  /// before the start. One that can't be written to its end (the disk is full) is left empty, which
  /// a line on standard error says, and the run returns as it would have without a trace.
  std::string file = {};
  /// Memory of the process that the slices take until then; at least about a kilobyte a node. When
  /// it is used up, the oldest slices are dropped, and the file says how many. A slice takes 48
  /// bytes, and up to 400 in an uncompressed file.
  std::size_t bytes = std::size_t{8} << 20;
};

}  // namespace weir
