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
  std::uint64_t sum = 0;  ///< sum of the records' XXH3 hashes modulo 2^64, independent of their order
  /// Place of the first record that should precede the record before it, by its key.
  std::optional<std::uint64_t> first_disorder;
  /// Place of the first record whose key equals that of the record before it.
  std::optional<std::uint64_t> first_repetition;
  /// Place of the first record that has the same key as the record before it, and a number that is
  /// not greater. Only records made by `recgen` have numbers.
  std::optional<std::uint64_t> first_instability;
  /// The first and the last record; empty if there is none, or it is longer than `longest_kept`.
  std::string first, last;
  std::size_t workers = 0;  ///< number that checked the file: fewer than there are if memory is short
};

/// Returns the sum of all records of a chunk.
std::uint64_t sum_of(const chunk& of, const record_format& format) noexcept;

/// Whether reading goes on after a record that should precede the one before it.
enum class reading_on {
  no,  ///< reads only as much as needed to find the first such record; numbers and sums are those of a part
  yes  ///< all of it
};

/// Checks a part of a file, which begins and ends with a record.
/// @param space is used for records; nothing of it stays taken @param disk for the thread that
/// reads
/// @param longest bytes of the longest record, if known: there are fewer workers if records need
/// more memory
/// @param longest_kept most bytes of `first` and `last`
/// @throws bad_record, std::system_error, interrupted
file_contents check_file(const file& from, std::uint64_t begin, std::uint64_t end, const record_format& format,
                         engine& by, arena& space, disk_queue& disk, reading_on goes_on, std::uint64_t longest = 0,
                         std::size_t longest_kept = 0);
/// Checks a whole file, except the header lines at its beginning. @throws likewise
file_contents check_file(const std::string& name, const record_format& format, engine& by, std::size_t memory,
                         reading_on goes_on, std::uint64_t header_lines = 0);

/// Checks the order of files, or parts of one, that make up a whole. @return the number of the
/// first that should begin after the end of those before it, and does not; as far as first and last
/// records are known
/// @param contents first and last record of each, in their order @param unique no two records may
/// have equal keys
std::optional<std::size_t> first_overlap(std::span<const std::pair<std::string, std::string>> contents,
                                         const record_format& format, bool unique);

}  // namespace extsort
