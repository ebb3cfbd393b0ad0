// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"
#include "disk.hpp"
#include "engine.hpp"
#include "merge.hpp"
#include "record_rules.hpp"
#include "run_codec.hpp"
#include "runs.hpp"
#include "sort_file.hpp"
#include "sort_output.hpp"
#include "streams.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace extsort {

class exchange;
class peers;

/// Bytes of the smallest block that is read at once, and of the smallest frame, which is always
/// read as a whole.
inline constexpr std::size_t least_block = std::size_t{32} << 10;

/// State that the parts of a sort share: its setup, its resources, and the facts known so far. Must
/// not be moved.
struct sort_means {
  /// @throws std::system_error
  /// @throws std::runtime_error if there is too little memory for an exchange
  sort_means(const sort_setup& setup, run_method runs, engine& by, sort_progress& progress);
  ~sort_means();
  sort_means(const sort_means&) = delete;
  sort_means& operator=(const sort_means&) = delete;

  const sort_setup& setup;
  run_method method;
  engine& by;
  sort_progress& progress;
  std::unique_ptr<const input_rules> rules;
  run_records stored;
  std::unique_ptr<const record_rules> stored_rules;
  input_file input;
  std::vector<input_file> inputs_after;
  std::unique_ptr<peers> others;       ///< null: the process sorts alone
  std::unique_ptr<exchange> together;  ///< likewise
  temporary_space space;
  std::optional<arena> memory;
  std::optional<run_compression> compression;
  disk_queue reading;
  std::vector<std::unique_ptr<disk_queue>> disks;  ///< one for each worker
  sort_output* output = nullptr;                   ///< null: there is none
  std::uint64_t output_begin = 0;                  ///< byte at which the part of this process begins
  std::uint64_t longest = 0;                       ///< longest record counted so far
  std::atomic<std::uint64_t> sum = 0;              ///< sum of the input's records, if the output is verified
  sort_summary summary;

  /// Returns the number of workers that make runs: those of the engine, or as many as the memory is
  /// enough for. The size of the input must be known.
  /// @throws too_little_memory if the memory is not enough for one
  std::size_t run_workers() const;
  /// @throws too_little_memory
  [[noreturn]] void refuse_memory() const;
  /// Returns the number of bytes in front of each record of a run that are not its own.
  std::size_t in_front() const noexcept { return stored.are_numbered ? sizeof(chunk_number) : 0; }
  /// Returns the bytes of a frame of runs; 0: they are not compressed.
  std::size_t frame() const noexcept { return compression ? compression->frame : 0; }
  /// Returns the bytes of a run between two samples.
  std::uint64_t sample_distance() const noexcept;
  /// Returns the bytes of a piece that groups exchange.
  std::size_t item_of_exchange() const noexcept;
  /// Whether any files are on disks.
  bool waits() const noexcept;

  /// Copies inputs that are streams to files. From then on the sizes of all inputs are known.
  void spool_inputs();
  /// Takes the header, which stays first, with its end; then records begin after it. All inputs
  /// must be files.
  /// @throws std::runtime_error if a further input has another header
  std::string take_header();
  /// Releases the copies of inputs, which are not read any more.
  void release_inputs() noexcept;
  /// Sets `compression`. The size of the input must be known.
  void choose_compression();
  /// Frees all memory, except a share for the indices of frames, which lie elsewhere, and their
  /// growth.
  void share_out_anew();
  /// Ensures that there is room for these bytes of runs and of the output.
  /// @throws not_enough_space
  void expect_room(std::uint64_t runs, std::uint64_t output_bytes);
  /// Puts these runs into the summary. @param front bytes in front of each record that are not its
  /// own
  void count(std::span<const run> all, std::size_t front);
  /// Adds the counts of the disk queues to the summary.
  void count_disks();
};

/// Returns the share of `memory` that a writer may take as its buffer.
std::size_t buffer_for(std::size_t memory) noexcept;

/// Returns how many of `asked` workers can make runs with that memory: each needs a buffer for
/// writing, and at least `least_chunk`. 0: none.
std::size_t workers_with_memory(std::size_t asked, std::size_t memory, const std::optional<run_compression>& as);

}  // namespace extsort
