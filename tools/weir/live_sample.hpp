// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/report.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

/// One run of a program that is watched.
struct live_run {
  std::uint64_t number = 0;           ///< which of the program's runs, from 1
  weir::report report;                ///< so far
  std::vector<std::string> groups{};  ///< of its nodes; empty where it is no cluster
};

/// What a program said of itself at one time. Its names hold no control characters.
struct live_sample {
  pid_t pid = 0;
  std::string program;
  std::size_t cores = 0;            ///< it may use
  std::chrono::nanoseconds at{0};   ///< on its steady clock
  std::chrono::nanoseconds cpu{0};  ///< of the process
  std::vector<std::string> silent;  ///< groups of a cluster that did not answer; what is said of them is as it was
  std::vector<live_run> runs;       ///< under way; if there is none, the last one

  /// That run; null if it is not there.
  const live_run* find(std::uint64_t number) const;
};

/// @throws std::runtime_error if that is not what a program of this version of weir says, or is its
/// refusal
live_sample parse_sample(const std::string& line);

/// What happened between two reports of one run, as a report of that time.
weir::report difference(const weir::report& later, const weir::report& earlier);
