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
/// appendix), of about twice the memory.
enum class run_method { chunks, snowplow };

/// How runs become one: as many at once as memory is good for, or two at once, all of them in each
/// pass (S, section 2).
enum class merge_method { k_way, binary };

/// What is to be sorted, and with what.
struct sort_setup {
  std::string input;                           ///< `-`: standard input
  std::vector<std::string> inputs_after = {};  ///< that follow it, likewise; none with groups, or `runs_from`
  std::string output;                          ///< `-`: standard output
  record_format format;
  std::size_t memory = std::size_t{1} << 30;  ///< bytes, for records
  std::vector<std::string> temporary;         ///< directories
  bool direct = true;                         ///< past the page cache, where file systems can
  bool by_uring = true;
  bool is_unique = false;    ///< of records with equal keys only the first
  bool is_verified = false;  ///< what was written is read again, before it has its name
  std::stop_token stop = {};
  sort_groups groups = {};
  std::uint64_t header_lines =
      0;                ///< that stay first, if records are lines; none with groups, `runs_from` or `chunks_from`
  int compression = 0;  ///< of runs: a level of zstd; 0: none
  run_method runs = run_method::chunks;
  merge_method merging = merge_method::k_way;
  std::size_t most_at_once = 0;  ///< runs that are merged at once; 0: as many as memory is good for
  /// Where runs are made, if elsewhere. It outlives the sort, and runs are not compressed.
  run_source* runs_from = nullptr;
  /// What takes the place of input and output, likewise; runs are made of chunks.
  chunk_source* chunks_from = nullptr;
};

/// What has been done so far. Any thread may look.
struct sort_progress {
  std::atomic<std::uint64_t> input_bytes = 0;
  std::atomic<std::uint64_t> sorted_bytes = 0;  ///< that are in runs
  std::atomic<std::uint64_t> merged_bytes = 0;  ///< of all passes
  std::atomic<std::uint64_t> to_merge = 0;      ///< likewise, once that is known
  std::atomic<bool> is_verifying = false;
};

/// What was done.
struct sort_summary {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::size_t workers = 0;
  std::size_t runs = 0;
  std::size_t passes = 0;  ///< that merged; 0: all of it was one run
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_sent = 0;  ///< to other groups
  std::size_t exchanges = 0;     ///< between groups; one, unless shares began elsewhere than it seemed
  std::string lost;              ///< what the new output has not kept of the one it replaced, in words
  std::chrono::nanoseconds making_runs{};
  std::chrono::nanoseconds merging{};
  std::chrono::nanoseconds waited{};  ///< for the disk, all threads together
};

/// What was written is not what was to be.
class wrong_output : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Sorts a file into another, stably. What comes out depends on the input alone.
/// @throws bad_record, not_enough_space, wrong_output, std::system_error, interrupted; then nothing
/// has changed but the disk's free space, and that for the time being
sort_summary sort_file(const sort_setup& setup, engine& by, sort_progress& progress);

}  // namespace extsort
