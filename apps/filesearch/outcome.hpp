// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>

namespace filesearch {

/// What the nodes have found so far. Any of them may write at any time.
struct outcome {
  std::atomic<std::uint64_t> files{0};  ///< searched
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> matching_files{0};
  std::atomic<std::uint64_t> errors{0};  ///< files and directories that couldn't be read
  std::stop_source enough;               ///< nothing else needs to be searched
};

/// Says on standard error, unless `quietly`, what is wrong with a file, and counts it.
void report_error(outcome& found, const std::string& name, int error, bool quietly);

/// What standard input is called.
inline constexpr const char* standard_input_name = "(standard input)";

}  // namespace filesearch
