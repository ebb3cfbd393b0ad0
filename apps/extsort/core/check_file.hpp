// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"
#include "chunk_reader.hpp"
#include "disk.hpp"
#include "engine.hpp"
#include "sort_file.hpp"

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace extsort {

/// What a file holds.
struct file_contents {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;  ///< of the records, whatever their order: of their XXH3, modulo 2^64
  /// Where the first record is that should be before the one in front of it, by its key.
  std::optional<std::uint64_t> first_disorder;
  /// Where the first record is whose key is that of the one in front of it.
  std::optional<std::uint64_t> first_repetition;
  /// Where the first record is whose number is not greater than that of the one in front of it, which has the same key. Of records that `recgen` has made.
  std::optional<std::uint64_t> first_instability;
  /// The first record and the last one; empty if there is none, or it is longer than was asked for.
  std::string first, last;
};

/// The sum of one record.
inline std::uint64_t sum_of(record_view record) noexcept { return XXH3_64bits(record.data(), record.size()); }

/// Of all records of a chunk.
template <class Format>
std::uint64_t sum_of(const chunk& of, const Format& format) noexcept {
  std::uint64_t sum = 0;
  for (std::uint64_t offset = 0; offset != of.known.bytes;) {
    const std::uint64_t size = format.size_of(of.begin + offset, of.known.bytes - offset);
    sum += sum_of(record_view(of.begin + offset, size));
    offset += size;
  }
  return sum;
}

/// Reads a part of a file, which begins and ends with a record. @param space nothing is taken of it; it is used for records @param disk for the thread that reads
/// @param longest_kept of the first and the last record
/// @throws bad_record, std::system_error, interrupted
file_contents check_file(const file& from, std::uint64_t begin, std::uint64_t end, const record_format& format,
                         engine& by, arena& space, disk_queue& disk, std::size_t longest_kept = 0);
/// Reads a whole file. @throws likewise
file_contents check_file(const std::string& name, const record_format& format, engine& by, std::size_t memory);

/// Of files, or parts of one, that make up a whole: the number of the first that should begin after what is before it ends, and does not; as far as first and last records are known.
/// @param contents first and last record of each, in their order @param unique no two records may have equal keys
std::optional<std::size_t> first_overlap(std::span<const std::pair<std::string, std::string>> contents,
                                         const record_format& format, bool unique);

}  // namespace extsort
