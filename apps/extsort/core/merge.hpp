// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record_format.hpp"
#include "record_writer.hpp"
#include "run_codec.hpp"
#include "runs.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

namespace extsort {

/// A part of a run.
struct run_part {
  const run* of = nullptr;
  std::uint64_t begin = 0;  ///< bytes
  std::uint64_t end = 0;
  std::uint64_t records = 0;
};

/// Merges parts of runs; of equal records the one of the earlier run comes first. For one thread at
/// a time.
class merger {
 public:
  virtual ~merger() = default;

  /// @param memory for a cursor of each part
  /// @param to is not finished
  /// @param samples selects the samples of the new run
  /// @param plain drops the bytes in front of records; if false, the disk space of read records is
  /// released
  /// @return the new run without its place
  virtual run merge(std::span<const run_part> parts, std::size_t block, std::span<std::byte> memory, record_writer& to,
                    bool plain, sample_places samples, const std::stop_token& stop) = 0;
};

/// Layout and order of the records of runs.
struct run_records {
  record_format format;
  bool are_numbered = false;  ///< they are `numbered_records`
  bool are_unique = false;    ///< only the first of records with equal keys is kept
};

/// @param decoder may be null if runs are not compressed
std::unique_ptr<merger> make_merger(const run_records& of, disk_queue& disk, frame_decoder* decoder);

}  // namespace extsort
