// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "record_rules.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

namespace extsort {

/// A record that cannot be sorted, with its place and the reason.
class bad_record : public std::runtime_error {
 public:
  bad_record(const std::string& file, std::uint64_t place, const std::string& what);
};

/// A record that is too long for the memory.
class record_too_long : public bad_record {
 public:
  using bad_record::bad_record;
};

/// The least memory for a chunk that justifies a thread.
inline constexpr std::size_t least_chunk = std::size_t{128} << 10;
/// Returns the memory for a chunk of one record of that size, which may begin anywhere in a page.
std::size_t chunk_memory(std::uint64_t record) noexcept;

/// Cuts a file, or a part of it, into chunks of whole records. For one thread at a time.
class chunk_reader {
 public:
  /// @param rules outlive the reader, as the file does
  /// @param end of the part, at the beginning of a record, or that of the file
  /// @param longest longest record that can be merged later
  chunk_reader(disk_queue& disk, const file& from, const input_rules& rules, std::uint64_t begin, std::uint64_t end,
               std::uint64_t longest = std::numeric_limits<std::uint64_t>::max())
      : disk_(&disk), from_(&from), rules_(&rules), at_(begin), end_(end), longest_(longest) {}

  bool is_at_end() const noexcept { return at_ == end_; }
  /// The byte at which the next record begins.
  std::uint64_t place() const noexcept { return at_; }

  /// Fills `memory`, which begins at a page, with the next records.
  /// @throws too_little_memory if that is less than a few pages
  /// @throws record_too_long if a record does not fit, or is longer than `longest`
  /// @throws bad_record if the file ends within one
  /// @throws std::system_error if the file can't be read
  chunk next(std::span<std::byte> memory);

 private:
  struct under_way {
    std::span<std::byte> to;
    std::uint64_t place = 0;  // place of the first byte in the file
    std::uint64_t begun = 0;  // bytes
    std::uint64_t there = 0;
  };
  static constexpr std::size_t at_a_time = 4;

  void refuse_longest(const chunk& in) const;
  std::uint64_t largest(std::uint64_t place, std::size_t memory, double bytes_per_record) const noexcept;
  void begin_piece();
  bool take_piece();
  void look_at(chunk& made, std::size_t memory);

  disk_queue* disk_;
  const file* from_;
  const input_rules* rules_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::uint64_t longest_;
  std::uint64_t number_ = 0;
  double bytes_per_record_ = 64;
  under_way reading_;
  std::array<transfer, at_a_time> pieces_;
};

}  // namespace extsort
