// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace extsort {

enum class key_distribution {
  uniform,   ///< from [0, 2^32), as S's generator has them
  zipf,      ///< from [1, 2^32), k with a probability of about 1/k
  sorted,    ///< 0, 1, 2, …
  reversed,  ///< likewise from behind
  nearly,    ///< sorted, but for records up to 100,000 places too early
  equal,     ///< all 42
  few,       ///< 16 different ones
};

/// What records are made of. The same seed makes the same records, whoever makes them.
struct generator_setup {
  std::uint64_t records = 0;
  std::uint64_t seed = 1;
  key_distribution keys = key_distribution::uniform;
  /// S's records, with payloads of 8 to one less than this, uniformly; 8: of 8 bytes (S's `gen_file
  /// -r`)
  std::uint32_t payload_limit = 16;
  /// Makes records of this size instead, at least 18 bytes, with a key of 10 bytes at their
  /// beginning (as the sort benchmark has them).
  std::size_t fixed_size = 0;
};

/// Records are made in blocks of so many.
inline constexpr std::uint64_t records_in_block = std::uint64_t{1} << 14;

/// How many bytes all of them together have: the mean, where sizes are random.
std::uint64_t expected_size(const generator_setup& setup) noexcept;

/// The records from `block` x `records_in_block` on. What is not their key is random, but for its
/// first eight bytes: these are the number of the record, from 0.
std::vector<std::byte> generate_block(const generator_setup& setup, std::uint64_t block);

}  // namespace extsort
