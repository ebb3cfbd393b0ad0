// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace swsearch {

/// Longest strip: on most machines, the first-level cache holds the state of this number of cells
/// in 8 bits.
inline constexpr std::size_t longest_strip = 12'288;

/// Memory that is reused by the calls of one thread: 8 bytes for each residue of the shorter
/// sequence, and half a MB.
class pair_memory {
 public:
  /// @param strip most residues of the longer sequence that are computed at once; a multiple of
  /// `segments`
  explicit pair_memory(std::size_t strip = longest_strip) : strip_(strip) {}

 private:
  friend class pair_aligner;

  std::size_t strip_;
  kernel_memory cells_;
  std::vector<std::int32_t> h_;
  std::vector<std::int32_t> f_;
};

/// The score of a pair, and the part of the subject in which the first alignment with this score
/// ends.
struct pair_score {
  std::int64_t score = 0;      ///< -1: more than 31 bits can hold
  std::size_t ends_after = 0;  ///< the alignment ends behind this number of residues,
  std::size_t ends_by = 0;     ///< and at the latest behind this number
};

/// Aligns two sequences (Smith-Waterman with Gotoh's affine gaps, exactly), with the best
/// instructions of this machine. The lanes of a vector hold parts of the longer sequence (Farrar
/// 2007). Meant for long pairs, if there are no other subjects of similar length that could share
/// the lanes of `align`.
pair_score align_pair(std::span<const residue> query, std::span<const residue> subject, const score_matrix& scores,
                      const gap_costs& gaps, pair_memory& memory);

/// Number of segments of equal length in which the longer sequence is laid out side by side: the
/// lanes of at least two vectors. The layout of a column's state is the same in every width and on
/// every machine.
inline constexpr std::size_t segments = 2 * lanes;

/// A strip of the longer sequence, and the state of a column of cells, with one cell for each
/// residue of the strip.
struct pair_strip {
  std::span<const residue> columns;              ///< residues of the shorter sequence
  std::size_t rows;                              ///< number of residues of the strip in each segment
  const residue* letters;                        ///< `rows` times `segments`; `padding` behind the end of the sequence
  alignas(16) std::int8_t table[codes * codes];  ///< scores of a column's residue against those of the strip
  std::bitset<codes> wanted;                     ///< residues that occur in the columns
  std::int8_t* profile;                          ///< scores for each code: `rows` times `segments`

  std::int32_t zero;     ///< number that stands for a score of 0
  std::int32_t certain;  ///< highest number that can't have wrapped around
  std::int32_t first;    ///< cost of the first residue of a gap
  std::int32_t extend;
  void* h;  ///< H of the column before, in the width of the kernel; `rows` times `segments`
  void* e;  ///< E into the next column; likewise

  // Plain scores, with 0 for 0:
  std::int32_t low;        ///< if no score of a column is higher, half the bits suffice behind it; -1: they never do
  std::int32_t* border_h;  ///< for each column the last H of the strip above; afterwards that of this strip
  std::int32_t* border_f;  ///< likewise, for the gap that leads down out of the strip
  std::int32_t corner;     ///< last H of the strip above, in the column before
  std::int32_t best = 0;   ///< best score of all cells so far
  std::size_t next = 0;    ///< next column to compute
  bool is_low = false;     ///< half the bits suffice from `next` on; else, if columns are left, more bits are needed
};

}  // namespace swsearch
