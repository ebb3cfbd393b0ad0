// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sort_means.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace extsort {

/// How runs are merged with the available memory.
struct merge_plan {
  std::size_t workers = 0;
  std::size_t most = 0;    ///< runs at once
  std::size_t memory = 0;  ///< bytes for each worker
  std::size_t buffer = 0;  ///< bytes of `memory` for a writer
};

/// Plans the merges of runs with the memory that is left.
/// @param runs at least one
/// @throws std::runtime_error if there is too little memory
merge_plan plan_of_merges(const sort_means& with, std::span<const run> runs);

/// Returns the longest record of which two can be merged. A longer one is refused as soon as it is
/// read, with its place. All memory must be free except the share of `share_out_anew`.
/// @throws too_little_memory if not even short records can be merged
std::uint64_t longest_to_merge(const sort_means& with);

/// Returns the disk space that merging needs in addition to that of the runs: for new runs that are
/// written before the runs that they come from are released.
/// @param bytes that are merged into new runs
std::uint64_t room_for_pass(const sort_means& with, std::uint64_t bytes);

/// Estimates the same for a whole sort, before it begins. All memory must be free, as above.
std::uint64_t room_for_passes(const sort_means& with);

/// Returns the bytes that a cursor reads at once.
std::size_t block_for(const sort_means& with, const merge_plan& plan, std::span<const run_part> parts);

}  // namespace extsort
