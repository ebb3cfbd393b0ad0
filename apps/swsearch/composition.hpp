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

/// How many of each residue there are in a protein. Those that stand for several kinds, or for
/// none, are not counted.
using residue_counts = std::array<std::uint32_t, codes>;
residue_counts counts_of(std::span<const residue> protein, const alphabet& letters);

/// Corrects scores for the composition of two proteins. Where both have much of the same residues,
/// high scores come by chance more often than e-values take into account, which are of proteins of
/// average composition: lambda, that of alignments without gaps, is lower. As much lower as it is,
/// the score is counted. This is BLAST's first kind of composition-based statistics (Schaeffer,
/// Aravind, Madden, Shavirin, Spouge, Wolf, Koonin, Altschul 2001), with its limits; BLAST also
/// aligns again with the scores that follow, which are as good as these where there are no gaps.
///
/// Any number of threads may ask it.
class composition_correction {
 public:
  /// @param average composition, of which two residues score less than 0 on average
  composition_correction(const score_matrix& scores, const frequencies& average);

  /// The factor for a score of these two: from 0.5 to 1, the same on every machine.
  double factor(const residue_counts& query, const residue_counts& subject) const;

 private:
  // How probable each score is, from the lowest on.
  std::vector<double> probabilities(const frequencies& query, const frequencies& subject) const;
  // The mean of exp(lambda * score), less 1, and its slope.
  std::pair<double, double> excess(const std::vector<double>& probabilities, double lambda) const;

  score_matrix scores_;
  double lambda_ = 0;
};

}  // namespace swsearch
