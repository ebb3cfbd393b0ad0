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

/// The first cache of most machines holds the state of so many cells, in 8 bits.
inline constexpr std::size_t longest_strip = 12'288;

/// Memory that calls of one thread use again: 8 bytes for each residue of the shorter sequence, and
/// half a MB.
class pair_memory {
 public:
  /// @param strip residues of the longer sequence that are computed at once, at most; a multiple of
  /// `segments`
  explicit pair_memory(std::size_t strip = longest_strip) : strip_(strip) {}

 private:
  friend class pair_aligner;

  std::size_t strip_;
  kernel_memory cells_;
  std::vector<std::int32_t> h_;
  std::vector<std::int32_t> f_;
};

/// The score of a pair, and the part of the subject where the first alignment that scores so ends.
struct pair_score {
  std::int64_t score = 0;      ///< -1: more than 31 bits can hold
  std::size_t ends_after = 0;  ///< residues,
  std::size_t ends_by = 0;     ///< and after at most so many
};

/// Aligns one sequence with one other (Smith-Waterman with Gotoh's affine gaps, exactly), with the
/// best instructions of this machine: the lanes of a vector hold parts of the longer sequence
/// (Farrar 2007). It is for long pairs that have no others of their length, with which they could
/// share the lanes of `align`.
pair_score align_pair(std::span<const residue> query, std::span<const residue> subject, const score_matrix& scores,
                      const gap_costs& gaps, pair_memory& memory);

/// The longer sequence lies in so many segments of equal length beside each other: the lanes of two
/// vectors at least. The state of a column is laid out alike in every width and on every machine.
inline constexpr std::size_t segments = 2 * lanes;

/// A strip of the longer sequence, and the state of a column of cells: one for each of its
/// residues.
struct pair_strip {
  std::span<const residue> columns;  ///< the shorter sequence
  std::size_t rows;                  ///< residues of the strip in each segment
  const residue* letters;            ///< `rows` times `segments`; behind the end of the sequence is `padding`
  alignas(16) std::int8_t table[codes * codes];  ///< scores of a column's residue against those of the strip
  std::bitset<codes> wanted;                     ///< residues of the columns
  std::int8_t* profile;                          ///< these scores: of each code `rows` times `segments`

  std::int32_t zero;     ///< what stands for a score of 0
  std::int32_t certain;  ///< the highest that can't have wrapped around
  std::int32_t first;    ///< what the first residue of a gap costs
  std::int32_t extend;
  void* h;  ///< of the column before, in the width of the kernel; `rows` times `segments`
  void* e;  ///< into the next column; likewise

  // Scores as they are, 0 for 0:
  std::int32_t low;        ///< after a column with none above, half the bits do; -1: they never do
  std::int32_t* border_h;  ///< for each column the last H of the strip above; afterwards that of this one
  std::int32_t* border_f;  ///< the same of what leads down out of it
  std::int32_t corner;     ///< the last H of the strip above, in the column before
  std::int32_t best = 0;   ///< of all cells so far
  std::size_t next = 0;    ///< column
  bool is_low = false;     ///< half the bits do from there on; else, if it is not the end, there must be more
};

}  // namespace swsearch
