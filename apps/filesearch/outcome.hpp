// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace filesearch {

/// Counts of a search. Each item carries the counts since the item before; their sum is the total.
struct outcome {
  std::uint64_t files = 0;  ///< files searched
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

/// Counts an error with a file, and reports it on standard error unless `quietly` is set.
void report_error(outcome& found, const std::string& name, int error, bool quietly);

/// Name of standard input in the output.
inline constexpr const char* standard_input_name = "(standard input)";

}  // namespace filesearch
