// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scoring.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace swsearch {

/// Number of sequences that are aligned side by side, one in each lane, whatever the width of this
/// machine's vectors.
inline constexpr std::size_t lanes = 64;
/// The number of columns of a batch is a multiple of this.
inline constexpr std::size_t columns_at_once = 8;

/// `lanes` subjects, transposed: the columns follow each other, and each has the residues of all
/// lanes side by side. Behind its end, a subject has `padding`. Columns after the first `columns`
/// may be stored elsewhere.
struct batch_view {
  const residue* residues = nullptr;  ///< aligned to `lanes`
  std::size_t columns = 0;
  std::array<std::uint32_t, lanes> lengths{};  ///< none is longer than `columns`, unless there are more columns
  const residue* more_columns = nullptr;       ///< aligned likewise; as many columns as the longest subject still needs
};

/// Memory that is reused by the calls of one thread.
class kernel_memory {
 public:
  std::byte* bytes(std::size_t size);

 private:
  struct alignas(lanes) block {
    std::byte bytes[lanes];
  };
  std::vector<block> blocks_;
};

/// Parameters of a kernel; all numbers fit its width.
struct kernel_task {
  std::span<const residue> query;
  alignas(16) std::int8_t table[codes * codes];
  std::bitset<codes> wanted;  ///< residues of the query
  std::int32_t zero;          ///< number that stands for a score of 0
  std::int32_t certain;       ///< highest number that can't have wrapped around
  std::int32_t first;         ///< cost of the first residue of a gap
  std::int32_t extend;
};

enum class width { bits_8, bits_16, bits_32 };

constexpr width wider(width bits) { return bits == width::bits_8 ? width::bits_16 : width::bits_32; }

/// The numbers of a width that stand for scores.
struct number_range {
  std::int32_t zero;     ///< stands for a score of 0; a subtraction from it does not wrap around
  std::int32_t certain;  ///< highest number to which the score of a pair can be added
};
number_range range_of(width bits, const score_matrix& scores, const gap_costs& gaps);

/// Whether scores with such costs can be computed in that width at all.
bool can_use(width bits, const score_matrix& scores, const gap_costs& gaps);
/// Returns the highest score that `align` returns in that width.
std::int64_t most_certain(width bits, const score_matrix& scores, const gap_costs& gaps);

/// Returns how many neighbouring lanes share a vector of this machine. `align` takes as long for
/// all of them as for the longest.
std::size_t lanes_at_once(width bits);

/// Aligns a query with each subject of a batch (Smith-Waterman with Gotoh's affine gaps, exactly),
/// with the best instructions of this machine.
/// @param scores must satisfy `can_use` for the width
/// @return the score for each lane, or -1 if the score may be more than the width can hold
std::array<std::int64_t, lanes> align(width bits, std::span<const residue> query, const batch_view& subjects,
                                      const score_matrix& scores, const gap_costs& gaps, kernel_memory& memory);

}  // namespace swsearch
