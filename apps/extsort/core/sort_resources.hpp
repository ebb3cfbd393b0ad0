// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"
#include "disk.hpp"
#include "engine.hpp"
#include "run_format.hpp"
#include "runs.hpp"
#include "sort_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace extsort {

class sort_output;

/// The threads, memory and disks of a sort, which all its steps use one after the other. Must not
/// be moved.
struct sort_resources {
  /// @param memory_size bytes, for records
  /// @param lanes number of runs that are written at once @throws std::system_error
  sort_resources(const sort_setup& setup, engine& by, sort_progress& progress, std::size_t memory_size,
                 std::size_t lanes);
  sort_resources(const sort_resources&) = delete;
  sort_resources& operator=(const sort_resources&) = delete;

  engine& by;
  sort_progress& progress;
  std::stop_token stop;
  temporary_space space;
  arena memory;
  disk_queue reading;                              ///< for what is read by one thread
  std::vector<std::unique_ptr<disk_queue>> disks;  ///< one for each worker
  bool waits = true;                               ///< whether any files are on disks

  /// Ensures that there is room for these bytes of runs and of the output.
  /// @throws not_enough_space
  void expect_room(const run_format& as, std::uint64_t runs, const sort_output& output, std::uint64_t output_bytes);
  /// Returns the disk space that merging needs in addition to that of the runs: for new runs that
  /// are written before the runs that they come from are released.
  /// @param bytes that are merged into new runs
  std::uint64_t room_for_pass(std::uint64_t bytes) const;
  /// Adds the counts of the disk queues to the summary.
  void count_disks(sort_summary& in) const;
};

}  // namespace extsort
