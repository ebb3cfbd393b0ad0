// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "merge.hpp"
#include "merge_plan.hpp"
#include "sort_means.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace extsort {

/// Merges all runs, in as many passes as the memory requires. Must not be moved.
class run_merging {
 public:
  /// @param runs in the order of their records
  /// @throws std::runtime_error if the memory is too small for two of their records
  run_merging(sort_means& with, std::vector<run> runs);

  /// Merges the runs into runs whose records follow those of the run before.
  std::vector<run> into_runs();
  /// Merges the runs into the output, and sets its size.
  void into_output();

 private:
  std::vector<std::vector<run_part>> ranges();
  void merge_some();
  std::vector<run> merge_apart(std::span<const std::vector<run_part>> groups);
  run merge(std::size_t worker, std::span<const run_part> parts, record_writer& to, bool plain, sample_places samples);
  frame_decoder* decoder_of(std::size_t worker) noexcept { return decoders_[worker] ? &*decoders_[worker] : nullptr; }
  std::uint64_t output_size_of(std::span<const run_part> parts) const;

  sort_means& with_;
  std::vector<run> runs_;
  merge_plan plan_;
  std::vector<std::unique_ptr<merger>> mergers_;        // one for each worker
  std::vector<std::optional<frame_decoder>> decoders_;  // likewise
  std::vector<std::span<std::byte>> slices_;            // likewise
};

}  // namespace extsort
