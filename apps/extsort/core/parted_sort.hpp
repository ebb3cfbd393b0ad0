// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"
#include "chunk_reader.hpp"
#include "disk.hpp"
#include "runs.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace extsort {

struct sort_summary;

// A sort that is parted between processes: one reads and writes, and has others sort (S, section 2.2). Each of them calls `sort_file`, with its part.

/// Of the process that reads and writes: has the others sort.
class run_source {
 public:
  virtual ~run_source() = default;
  /// Has runs made of the whole input. @param memory all of it, until this returns @param summary gets what was read, written and sent
  /// @return runs, those of earlier records first, in files that last as long as this @throws bad_record, std::system_error
  virtual std::vector<run> make(disk_queue& disk, const file& input, std::uint64_t size, arena& memory,
                                sort_summary& summary) = 0;
};

/// Of a process that sorts: where its chunks come from, and where what it sorted goes.
class chunk_source {
 public:
  virtual ~chunk_source() = default;
  /// Bytes of the whole input.
  virtual std::uint64_t input_size() = 0;
  /// Fills memory with whole records that leave room for a word for each of them, and for `record_slack` bytes. Any thread may call, one at a time. @return bytes; 0: there are no more
  virtual std::size_t next(std::span<std::byte> memory) = 0;
  /// Whether all chunks so far are to be forgotten, and others follow.
  virtual bool begins_again() = 0;
  /// Takes what was sorted. @param sorted runs, each behind the one before @param memory that nothing else uses meanwhile
  virtual void give(std::span<const run> sorted, disk_queue& disk, std::span<std::byte> memory) = 0;
};

/// What has come into the beginning of `memory`, as chunk_reader has read it elsewhere.
template <class Format>
chunk received_chunk(const Format& format, std::uint64_t number, std::span<std::byte> memory, std::size_t bytes) {
  chunk made{.number = number, .begin = memory.data(), .known = {}, .words = {}};
  while (made.known.bytes != bytes) {
    const std::byte* const at = made.begin + made.known.bytes;
    const std::uint64_t available = bytes - made.known.bytes;
    const std::uint64_t size = format.size_of(at, available);
    if (size > available) throw std::logic_error("a chunk ends within a record");
    made.known.add(format, at, size);
  }
  const std::size_t words = made.known.records * sizeof(std::uint64_t);
  if (words + record_slack > memory.size() - bytes)
    throw std::logic_error("a chunk has no room for its words, and for what is read in front of them");
  made.words = {reinterpret_cast<std::uint64_t*>(memory.data() + memory.size() - words), made.known.records};
  return made;
}

}  // namespace extsort
