// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "merge.hpp"
#include "record_rules.hpp"
#include "run_codec.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace extsort {

/// How the runs of a sort are stored.
struct run_format {
  explicit run_format(const run_records& of) : records(of), rules(rules_of_runs(of.format, of.are_numbered)) {}

  run_records records;
  std::unique_ptr<const record_rules> rules;   ///< of the records, as stored
  std::optional<run_compression> compression;  ///< none: runs are not compressed
  std::uint64_t sample_distance = 0;           ///< bytes of a run between two samples

  /// Returns the number of bytes in front of each record that are not its own.
  std::size_t in_front() const noexcept { return records.are_numbered ? sizeof(chunk_number) : 0; }
  /// Returns the bytes of a frame; 0: runs are not compressed.
  std::size_t frame() const noexcept { return compression ? compression->frame : 0; }
};

}  // namespace extsort
