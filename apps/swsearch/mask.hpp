// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "residues.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace swsearch {

/// Residues that follow each other, from `begin` to before `end`.
struct interval {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const interval&, const interval&) = default;
};

/// The parts of a protein that are of low complexity, by SEG with BLAST's settings: windows of 12
/// residues, 2.2 bits to begin with, 2.5 to go on. (Wootton, Federhen 1993, "Statistics of local
/// complexity in amino acid sequences and sequence databases".) In order, and apart from each
/// other.
std::vector<interval> low_complexity_of_protein(std::span<const residue> protein);

/// Those of DNA, by symmetric DUST with BLAST's settings: windows of 64 bases, level 20. (Morgulis,
/// Gertz, Schaeffer, Agarwala 2006, "A fast and symmetric DUST implementation to mask
/// low-complexity DNA sequences".) Likewise; an unknown base is in none of them.
std::vector<interval> low_complexity_of_dna(std::span<const residue> dna);

/// Has the unknown residue, X or N, take the place of each in a part of low complexity.
void mask_low_complexity(std::span<residue> of, const alphabet& letters);

}  // namespace swsearch
