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

/// A summary of some records that follow each other, once they have been looked at.
struct survey {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t longest = 0;                                        ///< in bytes
  std::uint64_t last = 0;                                           ///< byte at which the last of them begins
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();  ///< of the first words of some of them
  std::uint64_t most = 0;                                           ///< likewise
  std::uint64_t begun = 0;  ///< bytes of the next record that were looked at, and in which it does not end

  /// Adds a record.
  template <class Format>
  void add(const Format& format, const std::byte* at, std::uint64_t size) noexcept {
    // Words that have to be looked for cost more than a range that is a little too small.
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

/// Records that follow each other in the input, in memory that has room for a word for each of them
/// behind.
struct chunk {
  std::uint64_t number = 0;
  std::uint64_t place = 0;  ///< of the first, in the input
  std::byte* begin = nullptr;
  survey known;
  std::span<std::uint64_t> words;
};

/// Words for so many records, at the end of that memory.
inline std::span<std::uint64_t> words_behind(std::span<std::byte> memory, std::uint64_t records) noexcept {
  const std::size_t bytes = records * sizeof(std::uint64_t);
  return {reinterpret_cast<std::uint64_t*>(memory.data() + memory.size() - bytes), records};
}

}  // namespace extsort
