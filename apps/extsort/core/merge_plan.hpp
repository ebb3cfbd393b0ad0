// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"
#include "merge.hpp"
#include "run_format.hpp"
#include "runs.hpp"
#include "sort_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace extsort {

/// Limits of the merges of a sort.
struct merge_limits {
  const arena& memory;  ///< what is left of it is for the merge
  const run_format& as;
  std::size_t workers = 1;
  merge_method method = merge_method::k_way;
  std::size_t most_at_once = 0;  ///< runs; 0: as many as memory allows
};

/// How runs are merged with the available memory.
struct merge_plan {
  std::size_t workers = 0;
  std::size_t most = 0;    ///< runs at once
  std::size_t memory = 0;  ///< bytes for each worker
  std::size_t buffer = 0;  ///< bytes of `memory` for a writer
};

/// Plans the merges of runs.
/// @param runs at least one @param input name for the message
/// @throws std::runtime_error if there is too little memory
merge_plan plan_of_merges(const merge_limits& within, std::span<const run> runs, const std::string& input);

/// Returns the longest record of which two can be merged; 0: not even short records can be. A
/// longer one is refused as soon as it is read, with its place. All memory must be free except the
/// share of `share_out_anew`.
std::uint64_t longest_to_merge(const merge_limits& within);

/// Returns how many runs of short records can be merged at once; 0: none. Memory as above.
std::size_t runs_at_once(const merge_limits& within);

/// Returns the bytes that a cursor reads at once.
std::size_t block_for(const run_format& as, const merge_plan& plan, std::span<const run_part> parts);

}  // namespace extsort
