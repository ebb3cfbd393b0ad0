// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/run/group_run.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/trace.hpp"

#include "run/trace_file.hpp"
#include "run/trace_log.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace weir::detail {

/// The trace of one run: the records of its nodes, and the file to which they are written at the
/// end.
class trace {
 public:
  using clock = std::chrono::steady_clock;

  /// Opens the file, unless the trace is a group's part. @throws graph_error
  trace(const trace_options& asked, std::size_t nodes, bool is_part);

  /// The log of a node, for its runners.
  trace_log& log_of(node_id node) noexcept { return logs_[node]; }

  /// Writes the file. Called once, when every node has ended and no thread records any more. @param
  /// channels those of `g`
  void write(const graph& g, const std::vector<std::unique_ptr<channel>>& channels, clock::time_point started) noexcept;

  /// Called instead of `write`: sends the events of this process, as a group's part of the whole
  /// trace.
  void write_part(const graph& g, const std::vector<std::unique_ptr<channel>>& channels, clock::time_point started,
                  group_run& group) noexcept;

 private:
  std::optional<trace_file> file_;
  trace_memory memory_;
  std::deque<trace_log> logs_;
};

}  // namespace weir::detail
