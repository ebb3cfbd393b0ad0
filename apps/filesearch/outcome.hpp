// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace filesearch {

/// What was found. Each item carries what came about since the one before it, so whoever has all of
/// them knows all.
struct outcome {
  std::uint64_t files = 0;  ///< searched
  std::uint64_t bytes = 0;
  std::uint64_t matching_files = 0;
  std::uint64_t errors = 0;  ///< files and directories that couldn't be read

  outcome& operator+=(const outcome& more) {
    files += more.files;
    bytes += more.bytes;
    matching_files += more.matching_files;
    errors += more.errors;
    return *this;
  }
  bool operator==(const outcome&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(files, bytes, matching_files, errors);
  }
};

/// Says on standard error, unless `quietly`, what is wrong with a file, and counts it.
void report_error(outcome& found, const std::string& name, int error, bool quietly);

/// What standard input is called.
inline constexpr const char* standard_input_name = "(standard input)";

}  // namespace filesearch
