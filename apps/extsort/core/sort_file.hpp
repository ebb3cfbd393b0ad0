// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.hpp"
#include "exchange_options.hpp"
#include "record_format.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace extsort {

class chunk_source;
class run_source;

/// How runs are made: each of a chunk that fits into memory, or by replacement selection (S,
/// appendix), each of about twice the memory.
enum class run_method { chunks, snowplow };

/// How runs are merged: as many at once as memory allows, or in pairs, all runs in each pass (S,
/// section 2).
enum class merge_method { k_way, binary };

/// The task of a sort, and its resources.
struct sort_setup {
  std::string input;                           ///< `-`: standard input
  std::vector<std::string> inputs_after = {};  ///< further inputs, likewise; none with groups, or `runs_from`
  std::string output;                          ///< `-`: standard output
  record_format format;
  std::size_t memory = std::size_t{1} << 30;  ///< bytes, for records
  std::vector<std::string> temporary;         ///< directories
  bool direct = true;                         ///< past the page cache, if file systems support that
  bool by_uring = true;
  bool is_unique = false;    ///< keeps only the first of records with equal keys
  bool is_verified = false;  ///< the output is read again before it gets its name
  std::stop_token stop = {};
  sort_groups groups = {};
  std::uint64_t header_lines =
      0;                ///< lines that stay first, if records are lines; 0 with groups, `runs_from` or `chunks_from`
  int compression = 0;  ///< level of zstd for runs; 0: none
  run_method runs = run_method::chunks;
  merge_method merging = merge_method::k_way;
  std::size_t most_at_once = 0;  ///< runs that are merged at once; 0: as many as memory allows
  /// Makes the runs elsewhere, if not null. It outlives the sort, and runs are not compressed.
  run_source* runs_from = nullptr;
  /// Replaces input and output, if not null. It outlives the sort, and runs are made of chunks.
  chunk_source* chunks_from = nullptr;
};

/// Progress of a sort. Any thread may read it.
struct sort_progress {
  std::atomic<std::uint64_t> input_bytes = 0;
  std::atomic<std::uint64_t> sorted_bytes = 0;  ///< bytes that are in runs
  std::atomic<std::uint64_t> merged_bytes = 0;  ///< bytes merged in all passes
  std::atomic<std::uint64_t> to_merge = 0;      ///< bytes to merge in all passes, as far as known
  std::atomic<bool> is_verifying = false;
};

/// Counts and times of a sort that is done.
struct sort_summary {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::size_t workers = 0;
  std::size_t runs = 0;
  std::size_t passes = 0;  ///< number of merge passes; 0: there was only one run
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_sent = 0;  ///< to other groups
  std::size_t exchanges = 0;     ///< between groups; more than one if guessed share borders were wrong
  std::string lost;              ///< attributes of the replaced output that the new one lacks, in words
  std::chrono::nanoseconds making_runs{};
  std::chrono::nanoseconds merging{};
  std::chrono::nanoseconds waited{};  ///< for the disk, all threads together
};

/// The verified output differs from the expected output.
class wrong_output : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Sorts a file into another, stably. The output depends only on the input.
/// @throws bad_record, not_enough_space, wrong_output, std::system_error, interrupted; then the
/// output is unchanged, and only free space on the disk was used, for a time
sort_summary sort_file(const sort_setup& setup, engine& by, sort_progress& progress);

}  // namespace extsort
