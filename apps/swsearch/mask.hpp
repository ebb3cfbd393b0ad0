// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "residues.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace swsearch {

/// Consecutive residues, from `begin` to before `end`.
struct interval {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const interval&, const interval&) = default;
};

/// Returns the parts of low complexity in a protein, found by SEG with BLAST's settings: windows of
/// 12 residues, 2.2 bits to begin with, 2.5 to go on. (Wootton, Federhen 1993, "Statistics of local
/// complexity in amino acid sequences and sequence databases".) The parts are in order, with gaps
/// between them.
std::vector<interval> low_complexity_of_protein(std::span<const residue> protein);

/// Returns the parts of low complexity in DNA, found by symmetric DUST with BLAST's settings:
/// windows of 64 bases, level 20. (Morgulis, Gertz, Schaeffer, Agarwala 2006, "A fast and symmetric
/// DUST implementation to mask low-complexity DNA sequences".) The parts are in order, with gaps
/// between them; no part contains an unknown base.
std::vector<interval> low_complexity_of_dna(std::span<const residue> dna);

/// Replaces each residue in a part of low complexity by the unknown residue, X or N.
void mask_low_complexity(std::span<residue> of, const alphabet& letters);

}  // namespace swsearch
