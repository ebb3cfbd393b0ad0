// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"
#include "chunk.hpp"
#include "disk.hpp"
#include "record_rules.hpp"
#include "runs.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace extsort {

struct sort_summary;

// A sort that is parted between processes: one reads and writes, and has others sort (S, section
// 2.2). Each of them calls `sort_file`, with its part.

/// For the process that reads and writes: has the others sort.
class run_source {
 public:
  virtual ~run_source() = default;
  /// Has runs made of the whole input.
  /// @param memory all of it, until this returns
  /// @param summary gets what was read, written and sent
  /// @return runs, those of earlier records first, in files that last as long as this
  /// @throws bad_record, std::system_error
  virtual std::vector<run> make(disk_queue& disk, const file& input, std::uint64_t size, arena& memory,
                                sort_summary& summary) = 0;
};

/// For a process that sorts: the origin of its chunks, and the place that sorted records go to.
class chunk_source {
 public:
  virtual ~chunk_source() = default;
  /// Bytes of the whole input.
  virtual std::uint64_t input_size() = 0;
  /// Fills memory with whole records that leave room for a word for each of them, and for
  /// `record_slack` bytes. Any thread may call, one at a time.
  /// @return bytes; 0: there are no more
  virtual std::size_t next(std::span<std::byte> memory) = 0;
  /// Whether all chunks so far are to be forgotten, and others follow.
  virtual bool begins_again() = 0;
  /// Takes what was sorted.
  /// @param sorted runs, each behind the one before
  /// @param memory that nothing else uses meanwhile
  virtual void give(std::span<const run> sorted, disk_queue& disk, std::span<std::byte> memory) = 0;
};

/// The chunk that has come into the beginning of `memory`, as chunk_reader has read it elsewhere.
chunk received_chunk(const input_rules& rules, std::uint64_t number, std::span<std::byte> memory, std::size_t bytes);

}  // namespace extsort
