// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sort_means.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace extsort {

/// How runs are merged, as far as memory goes.
struct merge_plan {
  std::size_t workers = 0;
  std::size_t most = 0;    ///< runs at once
  std::size_t memory = 0;  ///< bytes of a worker
  std::size_t buffer = 0;  ///< bytes of that for a writer
};

/// @param runs at least one, to be merged with the memory that is left
/// @throws std::runtime_error if there is too little
merge_plan plan_of_merges(const sort_means& with, std::span<const run> runs);

/// The longest record of which two can be merged. A longer one is refused as soon as it is read,
/// with its place. All memory is free but what `share_out_anew` has set aside.
/// @throws too_little_memory if not even short ones can be
std::uint64_t longest_to_merge(const sort_means& with);

/// Bytes on the disk that merging needs beside those of runs: for what becomes runs again before
/// what it comes from is given back.
/// @param bytes that do
std::uint64_t room_for_pass(const sort_means& with, std::uint64_t bytes);

/// The same for a whole sort, as far as can be told before it begins. All memory is free, as above.
std::uint64_t room_for_passes(const sort_means& with);

/// Bytes that a cursor reads at once.
std::size_t block_for(const sort_means& with, const merge_plan& plan, std::span<const run_part> parts);

}  // namespace extsort
