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

/// Bytes of the smallest block that is read at once, and of the smallest frame, which is read as a
/// whole.
inline constexpr std::size_t least_block = std::size_t{32} << 10;

/// All that the parts of a sort share: what it was asked for, what it works with, and what is known
/// of it. It stays where it is.
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
  std::unique_ptr<peers> others;       ///< null: there are none
  std::unique_ptr<exchange> together;  ///< likewise
  temporary_space space;
  std::optional<arena> memory;
  std::optional<run_compression> compression;
  disk_queue reading;
  std::vector<std::unique_ptr<disk_queue>> disks;  ///< of the workers
  sort_output* output = nullptr;                   ///< null: there is none
  std::uint64_t output_begin = 0;                  ///< of what this process writes of it
  std::uint64_t longest = 0;                       ///< record that was counted
  std::atomic<std::uint64_t> sum = 0;              ///< of the input's records, if the output is verified
  sort_summary summary;

  /// Workers that make runs: as many as the engine has, or as many as memory is enough for. Once
  /// the size of the input is known.
  /// @throws too_little_memory if it is not enough for one
  std::size_t run_workers() const;
  /// @throws too_little_memory
  [[noreturn]] void refuse_memory() const;
  /// Bytes before each record of a run that are not its own.
  std::size_t in_front() const noexcept { return stored.are_numbered ? sizeof(chunk_number) : 0; }
  /// Bytes of a frame of runs; 0: they are not compressed.
  std::size_t frame() const noexcept { return compression ? compression->frame : 0; }
  /// Bytes of a run between two samples.
  std::uint64_t sample_distance() const noexcept;
  /// Bytes on their way between groups, in one piece.
  std::size_t item_of_exchange() const noexcept;
  /// Whether files are on disks.
  bool waits() const noexcept;

  /// Has streams among the inputs copied. From then on their size is known.
  void spool_inputs();
  /// The header that is to stay first, with its end; records begin behind it from then on. Once all
  /// inputs are files.
  /// @throws std::runtime_error if that of a further input is another one
  std::string take_header();
  /// Nobody reads inputs any more.
  void release_inputs() noexcept;
  /// Once the size of the input is known.
  void choose_compression();
  /// Frees all memory, but for what is not in it: indices of frames, and as much while they grow.
  void share_out_anew();
  /// Sees to it that there is room for so many bytes of runs, and of the output.
  /// @throws not_enough_space
  void expect_room(std::uint64_t runs, std::uint64_t output_bytes);
  /// Makes the summary tell of these. @param front bytes before each record that are not its own
  void count(std::span<const run> all, std::size_t front);
  /// Makes it tell what the disks have done.
  void count_disks();
};

/// Memory that a writer may take, of so much.
std::size_t buffer_for(std::size_t memory) noexcept;

/// How many of so many workers can make runs with so much memory: each needs a buffer to write
/// with, and a chunk that is worth it. 0: none.
std::size_t workers_with_memory(std::size_t asked, std::size_t memory, const std::optional<run_compression>& as);

}  // namespace extsort
