// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace extsort {

/// A summary of consecutive records that have been scanned.
struct survey {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t longest = 0;                                        ///< bytes of the longest record
  std::uint64_t last = 0;                                           ///< byte at which the last record begins
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();  ///< least first word of some of the records
  std::uint64_t most = 0;                                           ///< greatest first word, likewise
  std::uint64_t begun = 0;  ///< scanned bytes of the next record, in which it does not end

  /// Adds a record.
  template <class Format>
  void add(const Format& format, const std::byte* at, std::uint64_t size) noexcept {
    // If a word must be searched for, it costs more than a range that is a little too small.
    constexpr std::uint64_t distance = Format::words_decide ? 1 : 8;
    if (records % distance == 0) {
      const std::uint64_t word = format.word(at, {});
      least = std::min(least, word);
      most = std::max(most, word);
    }
    ++records;
    last = bytes;
    bytes += size;
    begun = 0;
    longest = std::max(longest, size);
  }
};

/// Consecutive records of the input, in memory that also has room for a word for each of them after
/// the records.
struct chunk {
  std::uint64_t number = 0;
  std::uint64_t place = 0;      ///< place of the first record in the input
  std::span<std::byte> memory;  ///< free for the next chunk once this one is done
  std::byte* begin = nullptr;   ///< the first record, in `memory`
  survey known;
  std::span<std::uint64_t> words;
};

/// Returns the space for the words of `records` records at the end of `memory`.
inline std::span<std::uint64_t> words_behind(std::span<std::byte> memory, std::uint64_t records) noexcept {
  const std::size_t bytes = records * sizeof(std::uint64_t);
  return {reinterpret_cast<std::uint64_t*>(memory.data() + memory.size() - bytes), records};
}

}  // namespace extsort
