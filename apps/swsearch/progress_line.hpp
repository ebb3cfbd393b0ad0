// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search_network.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace swsearch {

/// The progress of a search as text: "34 %, 71.2 GCUPS, 12 s left". For one thread.
class progress_line {
 public:
  /// @param of outlives this object @param strands number of strands of each query that are
  /// searched for
  progress_line(const search_progress& of, std::size_t strands) : of_(&of), strands_(strands) {}

  std::string text();

 private:
  const search_progress* of_;
  std::size_t strands_;
  std::chrono::steady_clock::time_point searching_{};  // start of the search
};

}  // namespace swsearch
