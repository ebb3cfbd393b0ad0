// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "alignment.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace swsearch {

/// Memory that calls of one thread use again, and how much of it is traded for time. No alignment
/// depends on that.
class traceback_memory {
 public:
  /// @param tiles along each side of a grid, at least 2; each takes about 8 bytes for every residue
  /// of both sequences
  /// @param cells of a rectangle that is traced in one piece, at least 256; each takes a byte
  explicit traceback_memory(std::size_t tiles = 32, std::size_t cells = 4'096);

  /// What is held now.
  std::size_t bytes() const noexcept;

 private:
  friend class tracer;

  std::size_t tiles_;
  std::size_t cells_;
  std::size_t side_;                                ///< what no tile is smaller than
  std::vector<std::vector<std::int32_t>> borders_;  ///< of the tiles, for each depth of the recursion
  std::vector<std::int32_t> rows_;
  std::vector<std::int8_t> profile_;
  std::vector<std::uint8_t> steps_;
};

/// A best local alignment with affine gaps (Gotoh 1982), where an insertion may stand next to a
/// deletion.
///
/// Which of several it is depends on the sequences and the scores alone: of those that end first in
/// the subject, one that ends first in the query; and from there backwards, at each step the first
/// of these that is as good: to begin here; a pair; a residue of the subject only; one of the query
/// only; out of a gap before on with it. So no part of it up to some column, nor from some column
/// on, scores 0 or less.
///
/// Takes little more time than the score does: that pass keeps the borders of tiles, and of the
/// tiles that the alignment runs through the inside is computed again, by smaller tiles (FastLSA:
/// Driga, Lu, Schaeffer, Szafron, Charter, Parsons 2006). Memory is linear in the lengths.
///
/// @param gaps neither cost is negative
/// @throws std::length_error if the shorter length times the highest score of a pair is more than
/// 2^29 (48 million residues with BLOSUM62)
alignment align_traced(std::span<const residue> query, std::span<const residue> subject, const score_matrix& scores,
                       const gap_costs& gaps, traceback_memory& memory);

}  // namespace swsearch
