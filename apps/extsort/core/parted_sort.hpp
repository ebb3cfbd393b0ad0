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

// A sort that is distributed over processes: one process reads and writes, the others sort (S,
// section 2.2). Each process calls `sort_file` for its part.

/// Makes runs in other processes, for the process that reads and writes.
class run_source {
 public:
  virtual ~run_source() = default;
  /// Makes runs of the whole input.
  /// @param memory all of it, until this returns
  /// @param summary gets the counts of bytes read, written and sent
  /// @return runs, in the order of their records, in files that live as long as this object
  /// @throws bad_record, std::system_error
  virtual std::vector<run> make(disk_queue& disk, const file& input, std::uint64_t size, arena& memory,
                                sort_summary& summary) = 0;
};

/// Origin of the chunks, and destination of the sorted records, of a process that sorts.
class chunk_source {
 public:
  virtual ~chunk_source() = default;
  /// Returns the bytes of the whole input.
  virtual std::uint64_t input_size() = 0;
  /// Fills memory with whole records that leave room for a word for each of them, and for
  /// `record_slack` bytes. Any thread may call, one at a time.
  /// @return bytes; 0: there are no more
  virtual std::size_t next(std::span<std::byte> memory) = 0;
  /// Whether all chunks so far are void, and others follow.
  virtual bool begins_again() = 0;
  /// Takes the sorted records.
  /// @param sorted runs whose records follow those of the run before
  /// @param memory free for use during the call
  virtual void give(std::span<const run> sorted, disk_queue& disk, std::span<std::byte> memory) = 0;
};

/// Makes a chunk from records at the beginning of `memory`, which a remote chunk_reader has read.
chunk received_chunk(const input_rules& rules, std::uint64_t number, std::span<std::byte> memory, std::size_t bytes);

}  // namespace extsort
