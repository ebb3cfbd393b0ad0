// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/report.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

/// One run of a watched program.
struct live_run {
  std::uint64_t number = 0;           ///< number of the run in the program, from 1
  weir::report report;                ///< the report so far
  std::vector<std::string> groups{};  ///< groups of the nodes, in their order; empty if the run is no cluster
};

/// The state of a program at one time, as the program reports it. Its names hold no control
/// characters.
struct live_sample {
  pid_t pid = 0;
  std::string program;
  std::size_t cores = 0;            ///< cores that the program may use
  std::chrono::nanoseconds at{0};   ///< on the program's steady clock
  std::chrono::nanoseconds cpu{0};  ///< processor time of the process
  std::vector<std::string> silent;  ///< groups of a cluster that did not answer; their figures are the last known
  std::vector<live_run> runs;       ///< the runs under way; the last run if none is

  /// Returns the run with this number; null if there is none.
  const live_run* find(std::uint64_t number) const;
};

/// @throws std::runtime_error if the line is not a sample of this version of weir, or is a refusal
/// by the program
live_sample parse_sample(const std::string& line);

/// Returns the changes between two reports of one run, as a report of the time between them.
weir::report difference(const weir::report& later, const weir::report& earlier);
