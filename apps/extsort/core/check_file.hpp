// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"
#include "chunk.hpp"
#include "disk.hpp"
#include "engine.hpp"
#include "record_format.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace extsort {

/// The contents of a file.
struct file_contents {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;  ///< of the records, whatever their order: of their XXH3, modulo 2^64
  /// The place of the first record that should be before the one in front of it, by its key.
  std::optional<std::uint64_t> first_disorder;
  /// The place of the first record whose key is that of the one in front of it.
  std::optional<std::uint64_t> first_repetition;
  /// The place of the first record whose number is not greater than that of the one in front of it,
  /// which has the same key. Only records that `recgen` has made have numbers.
  std::optional<std::uint64_t> first_instability;
  /// The first record and the last one; empty if there is none, or it is longer than was asked for.
  std::string first, last;
  std::size_t workers = 0;  ///< that looked at it: fewer than there are if memory is short
};

/// The sum of all records of a chunk.
std::uint64_t sum_of(const chunk& of, const record_format& format) noexcept;

/// How much of a file is read once a record is found that should be before the one in front of it.
enum class reading_on {
  no,  ///< no more than is known to be before it, so that numbers and sums are those of a part
  yes  ///< all of it
};

/// Reads a part of a file, which begins and ends with a record. @param space nothing is taken of
/// it; it is used for records @param disk for the thread that reads
/// @param longest record, as far as that is known: there are fewer workers if it needs more memory
/// @param longest_kept of the first and the last record
/// @throws bad_record, std::system_error, interrupted
file_contents check_file(const file& from, std::uint64_t begin, std::uint64_t end, const record_format& format,
                         engine& by, arena& space, disk_queue& disk, reading_on goes_on, std::uint64_t longest = 0,
                         std::size_t longest_kept = 0);
/// Reads a whole file, but for so many lines at its beginning. @throws likewise
file_contents check_file(const std::string& name, const record_format& format, engine& by, std::size_t memory,
                         reading_on goes_on, std::uint64_t header_lines = 0);

/// Looks at files, or parts of one, that make up a whole. @return the number of the first that
/// should begin behind all that is in front of it, and does not; as far as first and last records
/// are known
/// @param contents first and last record of each, in their order @param unique no two records may
/// have equal keys
std::optional<std::size_t> first_overlap(std::span<const std::pair<std::string, std::string>> contents,
                                         const record_format& format, bool unique);

}  // namespace extsort
