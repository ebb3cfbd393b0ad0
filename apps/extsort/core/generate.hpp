// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace extsort {

enum class key_distribution {
  uniform,   ///< from [0, 2^32), as in S's generator
  zipf,      ///< from [1, 2^32), k with a probability of about 1/k
  sorted,    ///< 0, 1, 2, …
  reversed,  ///< the same in descending order
  nearly,    ///< sorted, except records that are up to 100,000 places too early
  equal,     ///< all 42
  few,       ///< 16 different keys
};

/// Describes the records. The same seed always makes the same records.
struct generator_setup {
  std::uint64_t records = 0;
  std::uint64_t seed = 1;
  key_distribution keys = key_distribution::uniform;
  /// For S's records: payloads have 8 bytes to one less than this, uniformly; 8: 8 bytes (S's
  /// `gen_file -r`)
  std::uint32_t payload_limit = 16;
  /// If not 0: makes records of this size instead, at least 18 bytes, with a key of 10 bytes at
  /// their beginning (as in the sort benchmark).
  std::size_t fixed_size = 0;
};

/// Number of records in a block.
inline constexpr std::uint64_t records_in_block = std::uint64_t{1} << 14;

/// Returns the bytes of all records together: the mean if sizes are random.
std::uint64_t expected_size(const generator_setup& setup) noexcept;

/// Makes the records from `block` x `records_in_block` on. The bytes after the key are random,
/// except the first eight: these are the number of the record, from 0.
std::vector<std::byte> generate_block(const generator_setup& setup, std::uint64_t block);

}  // namespace extsort
