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

namespace weir {

/// The trace of one run: what its nodes record, and the file it goes to in the end.
class trace {
 public:
  using clock = std::chrono::steady_clock;

  /// Opens the file, unless it is a part of one. @throws graph_error
  trace(const trace_options& asked, std::size_t nodes, bool is_part);

  /// For the runners of that node.
  trace_log& log_of(node_id node) noexcept { return logs_[node]; }

  /// Once, when every node has ended and no thread records any more. @param channels those of `g`
  void write(const graph& g, const std::vector<std::unique_ptr<channel>>& channels, clock::time_point started) noexcept;

  /// Instead: what happened here, as a group's part of the trace of all.
  void write_part(const graph& g, const std::vector<std::unique_ptr<channel>>& channels, clock::time_point started,
                  group_run& group) noexcept;

 private:
  std::optional<trace_file> file_;
  trace_memory memory_;
  std::deque<trace_log> logs_;
};

}  // namespace weir
