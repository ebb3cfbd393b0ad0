// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/coordinator/merged_trace.hpp"
#include "cluster/protocol/messages.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace weir::cluster {

/// The traces of the runs of a cluster, each of all groups in one file. One thread.
class run_traces {
 public:
  /// The environment requests traces. @param first the file of the first run; null: it has none
  void request(std::shared_ptr<merged_trace> first) noexcept;
  bool are_requested() const noexcept { return requested_; }

  /// A run begins. The program's request for a trace comes before that of the environment.
  /// @param file of the program's request; empty: none
  /// @throws graph_error
  void begin(std::uint32_t run, const std::string& file);
  /// Whether the run under way has a trace.
  bool is_on() const noexcept { return file_ != nullptr; }

  // Messages of a group. Those about other runs are ignored.
  void hear(const to_coordinator::trace& message);
  void hear(const std::string& group, const to_coordinator::traced& message);

  /// Completes the trace of the run.
  void end() noexcept { file_.reset(); }

 private:
  bool requested_ = false;
  std::uint32_t run_ = 0;
  std::shared_ptr<merged_trace> file_;  // of the run under way; null: there is none
};

}  // namespace weir::cluster
