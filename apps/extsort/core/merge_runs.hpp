// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "merge.hpp"
#include "merge_plan.hpp"
#include "run_format.hpp"
#include "runs.hpp"
#include "sort_resources.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace extsort {

/// The part of the output that a process has written.
struct output_part {
  std::uint64_t begin = 0;  ///< place in the output
  record_counts of;
};

/// Merges all runs, in as many passes as the memory requires. Must not be moved.
class run_merging {
 public:
  /// @param within outlives this object, as `with` does
  /// @param runs at least one, in the order of their records
  /// @param input name for messages
  /// @throws std::runtime_error if the memory is too small for two of their records
  run_merging(sort_resources& with, const merge_limits& within, std::vector<run> runs, const std::string& input);

  /// Merges the runs into runs whose records follow those of the run before.
  std::vector<run> into_runs();
  /// Merges the runs into the output.
  output_part into(sort_output& output);

  std::size_t passes() const noexcept { return passes_; }

 private:
  std::vector<std::vector<run_part>> ranges();
  void merge_some();
  std::vector<run> merge_apart(std::span<const std::vector<run_part>> groups);
  run merge(std::size_t worker, std::span<const run_part> parts, record_writer& to, bool plain, sample_places samples);
  frame_decoder* decoder_of(std::size_t worker) noexcept { return decoders_[worker] ? &*decoders_[worker] : nullptr; }
  void expect_room(std::uint64_t bytes);
  std::uint64_t output_size_of(std::span<const run_part> parts) const;

  sort_resources& with_;
  const merge_limits& within_;
  std::vector<run> runs_;
  std::uint64_t bytes_;  // of all records
  merge_plan plan_;
  sort_output* output_ = nullptr;  // null: the result is runs
  std::size_t passes_ = 0;
  std::vector<std::unique_ptr<merger>> mergers_;        // one for each worker
  std::vector<std::optional<frame_decoder>> decoders_;  // likewise
  std::vector<std::span<std::byte>> slices_;            // likewise
};

}  // namespace extsort
