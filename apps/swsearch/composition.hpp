// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scoring.hpp"
#include "significance.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace swsearch {

/// Number of each residue in a protein. Residues that stand for several kinds, or for none, are not
/// counted.
using residue_counts = std::array<std::uint32_t, codes>;
residue_counts counts_of(std::span<const residue> protein, const alphabet& letters);

/// Corrects scores for the composition of two proteins. If both proteins are rich in the same
/// residues, high scores arise by chance more often than e-values assume, which are computed for
/// proteins of average composition: lambda of alignments without gaps is then lower. The score is
/// lowered in the same proportion. This is BLAST's first kind of composition-based statistics
/// (Schaeffer, Aravind, Madden, Shavirin, Spouge, Wolf, Koonin, Altschul 2001), with its limits.
/// BLAST also aligns again with the rescaled scores, which has the same result where there are no
/// gaps.
///
/// Any number of threads may use it.
class composition_correction {
 public:
  /// @param average composition for which the score of two residues is negative on average
  composition_correction(const score_matrix& scores, const frequencies& average);

  /// Returns the factor for a score of these two proteins: from 0.5 to 1, the same on every
  /// machine.
  double factor(const residue_counts& query, const residue_counts& subject) const;

 private:
  // Returns the probability of each score, beginning with the lowest.
  std::vector<double> probabilities(const frequencies& query, const frequencies& subject) const;
  // Returns the mean of exp(lambda * score), less 1, and its slope.
  std::pair<double, double> excess(const std::vector<double>& probabilities, double lambda) const;

  score_matrix scores_;
  double lambda_ = 0;
};

}  // namespace swsearch
