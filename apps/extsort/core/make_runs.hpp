// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk.hpp"
#include "run_format.hpp"
#include "runs.hpp"
#include "sort_resources.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace extsort {

class exchange;

/// Runs of all records.
struct made_runs {
  std::vector<run> all;   ///< in the order of equal records; in any order if records are numbered
  std::uint64_t sum = 0;  ///< as in file_contents; only if it was asked for
};

/// The chunks that runs are made of, and what becomes of them.
struct run_making {
  const run_format& as;
  /// Fills memory with the next chunk; none: there are no more. Called by one thread at a time.
  std::function<std::optional<chunk>(std::span<std::byte> free)> read;
  std::size_t workers = 1;
  bool is_summed = false;  ///< whether the sum is asked for
};

/// Sorts each chunk by itself, to a run. Uses the memory that is left.
/// @throws bad_record, std::system_error, interrupted
made_runs make_runs(sort_resources& with, const run_making& what);

/// Makes runs by replacement selection, with a separate snowplow for each worker.
/// @throws likewise; record_too_long also for a record that fits with other methods
made_runs make_runs_by_snowplow(sort_resources& with, const run_making& what);

/// Exchanges records with other groups; the runs are of this group's range.
/// @param by has begun @param longest longest record that can be merged later
/// @throws as make_runs; group_error
made_runs make_runs_together(sort_resources& with, const run_format& as, exchange& by, std::uint64_t longest,
                             bool is_summed);

}  // namespace extsort
