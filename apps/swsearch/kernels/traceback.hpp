// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "alignment.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace swsearch {

/// Memory that is reused by the calls of one thread. The sizes trade memory for time, and never
/// change an alignment.
class traceback_memory {
 public:
  /// @param tiles along each side of a grid, at least 2; each takes about 8 bytes for every residue
  /// of both sequences
  /// @param cells of a rectangle that is traced in one piece, at least 256; each takes a byte
  explicit traceback_memory(std::size_t tiles = 32, std::size_t cells = 4'096);

  /// Returns the memory that is held now, in bytes.
  std::size_t bytes() const noexcept;

 private:
  friend class tracer;

  std::size_t tiles_;
  std::size_t cells_;
  std::size_t side_;                                ///< smallest side of a tile
  std::vector<std::vector<std::int32_t>> borders_;  ///< of the tiles, for each depth of the recursion
  std::vector<std::int32_t> rows_;
  std::vector<std::int8_t> profile_;
  std::vector<std::uint8_t> steps_;
};

/// Returns a best local alignment with affine gaps (Gotoh 1982), in which an insertion may stand
/// next to a deletion.
///
/// The choice among several best alignments depends on the sequences and the scores alone. Taken is
/// one that ends first in the subject, and among these first in the query. From the end backwards,
/// each step is the first of these that is as good as any: to begin here; a pair; a residue of the
/// subject only; a residue of the query only; to open a gap rather than to continue it. No part up
/// to some column, or from some column on, therefore scores 0 or less.
///
/// Takes little more time than the score alone. The pass for the score keeps the borders of tiles.
/// The inside of the tiles that the alignment runs through is computed again, with smaller tiles
/// (FastLSA: Driga, Lu, Schaeffer, Szafron, Charter, Parsons 2006). Memory is linear in the
/// lengths.
///
/// @param gaps neither cost is negative
/// @throws std::length_error if the shorter length times the highest score of a pair is more than
/// 2^29 (48 million residues with BLOSUM62)
alignment align_traced(std::span<const residue> query, std::span<const residue> subject, const score_matrix& scores,
                       const gap_costs& gaps, traceback_memory& memory);

}  // namespace swsearch
