// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scoring.hpp"

#include <array>
#include <cstdint>

namespace swsearch {

/// Frequency of each residue in random sequences; the sum is 1.
using frequencies = std::array<double, codes>;

/// Frequencies of Robinson and Robinson (1991), as BLAST uses them.
const frequencies& protein_frequencies();
/// A quarter for each base: no composition fits all genomes, and BLAST uses this one too.
const frequencies& dna_frequencies();

/// The distribution of scores by chance. In two random sequences of m and n residues, the expected
/// number of distinct alignments with score s or above is
///
///     K * area * exp(-lambda * s),   area = mean of max(0, m - L) * max(0, n - L)
///
/// (Karlin, Altschul 1990). L is the length of such an alignment, which must fit into both
/// sequences. L is lognormal; its mean is alpha * s + beta (Altschul, Bundschuh, Olsen, Hwa 2001),
/// at least 1, and its variance is `dispersion` times the mean. The spread of L matters for short
/// queries (Park, Sheetlin, Ma, Madden, Spouge 2012).
///
/// An immutable value; any number of threads may use it.
struct significance {
  double lambda = 0;      ///< per unit of score
  double k = 0;           ///< per pair of residues
  double alpha = 0;       ///< residues per unit of score
  double beta = 0;        ///< residues
  double dispersion = 0;  ///< residues

  /// Returns (lambda * s - ln K) / ln 2.
  double bit_score(double score) const;
  /// Returns the expected number of alignments with this score or above in random sequences of
  /// these lengths.
  double expected(double score, double query_length, double subject_length) const;
  /// Returns how many sequences with this score or above are expected for the query in a random
  /// database with this number of residues. As in BLAST, this is `expected` for the subject,
  /// multiplied by the ratio of the database's length to the subject's length.
  /// @param subject_length, database_residues at least 1
  double e_value(double score, std::uint64_t query_length, std::uint64_t subject_length,
                 std::uint64_t database_residues) const;
};

/// Fits the parameters to scores of random pairs, using about `effort` * 1.5e10 cells of alignments
/// (a quarter of a second on one core with AVX-512). The result is the same on every machine.
/// @param effort the uncertainty of the parameters falls with its square root; at 1 it is 1 to 2 %
/// of lambda, and 10 to 15 % of k
/// @throws std::invalid_argument if no such parameters exist: no pair of residues scores above
/// zero, pairs score above zero on average, or gaps cost so little that scores grow with the length
/// of random sequences and not with its logarithm; also if `of_residues` do not add up to 1
significance fit_significance(const score_matrix& scores, const gap_costs& gaps, const frequencies& of_residues,
                              double effort = 1);

}  // namespace swsearch
