// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace weir {

/// Options of the trace of a run. The trace says when each thread ran which node, and what each
/// node waited for. It is a file that ui.perfetto.dev and chrome://tracing open (Trace Event
/// Format, JSON).
struct trace_options {
  /// Name of the file, which is written when the run has ended; compressed if the name ends in
  /// `.gz`. An existing file is replaced. Empty: no trace. If the file can't be opened, the run
  /// throws a `graph_error` before the start. If it can't be written to its end (the disk is full),
  /// it is left empty, a notice says so (`set_notice_handler`), and the run returns as it would
  /// have without a trace.
  std::string file = {};
  /// Memory of the process for the slices until the file is written; at least about a kilobyte per
  /// node. When it is used up, the oldest slices are dropped, and the file says how many. A slice
  /// takes 48 bytes, and up to 400 in an uncompressed file.
  std::size_t bytes = std::size_t{8} << 20;
};

}  // namespace weir
