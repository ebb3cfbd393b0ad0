// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scoring.hpp"

#include <array>
#include <cstdint>

namespace swsearch {

/// How often each residue occurs in random sequences; the sum is 1.
using frequencies = std::array<double, codes>;

/// Robinson and Robinson (1991), as BLAST has them.
const frequencies& protein_frequencies();
/// A quarter each: no composition holds for all genomes, and BLAST takes this one too.
const frequencies& dna_frequencies();

/// What chance does to scores. Two random sequences of m and n residues have alignments of score s
/// or above, distinct ones, to the number of
///
///     K * area * exp(-lambda * s),   area = mean of max(0, m - L) * max(0, n - L)
///
/// (Karlin, Altschul 1990), where L is the length of such an alignment, which must find its place
/// in both. L is lognormal; its mean is alpha * s + beta (Altschul, Bundschuh, Olsen, Hwa 2001), at
/// least 1, and its variance `dispersion` times that. That it is no single number matters for short
/// queries (Park, Sheetlin, Ma, Madden, Spouge 2012).
///
/// A pure value; any number of threads may ask it.
struct significance {
  double lambda = 0;      ///< per unit of score
  double k = 0;           ///< per pair of residues
  double alpha = 0;       ///< residues per unit of score
  double beta = 0;        ///< residues
  double dispersion = 0;  ///< residues

  /// (lambda * s - ln K) / ln 2
  double bit_score(double score) const;
  /// How many alignments of that score or above are expected in random sequences of these lengths.
  double expected(double score, double query_length, double subject_length) const;
  /// How many sequences are expected to do as well against this query, in a random database of so
  /// many residues: as BLAST does, `expected` of this subject for each time that the database is as
  /// long as it.
  /// @param subject_length, database_residues at least 1
  double e_value(double score, std::uint64_t query_length, std::uint64_t subject_length,
                 std::uint64_t database_residues) const;
};

/// Fits these numbers to scores of random pairs, about `effort` * 1.5e10 cells of alignments (a
/// quarter of a second of one core with AVX-512). They come out the same on every machine.
/// @param effort the uncertainty of the numbers falls with its root; at 1 it is 1 to 2 % of lambda,
/// and 10 to 15 % of k
/// @throws std::invalid_argument if there are no such numbers: no pair of residues scores above
/// zero, pairs do so on average, or gaps cost so little that scores grow with the length of random
/// sequences and not with its logarithm; or `of_residues` do not add up to 1
significance fit_significance(const score_matrix& scores, const gap_costs& gaps, const frequencies& of_residues,
                              double effort = 1);

}  // namespace swsearch
