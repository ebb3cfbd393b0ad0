// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "composition.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace swsearch {
namespace {

constexpr double least_factor = 0.5;  // as in BLAST

frequencies frequencies_of(const residue_counts& counts) {
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  frequencies made{};
  for (std::size_t code = 0; code != codes && sum != 0; ++code) made[code] = counts[code] / sum;
  return made;
}

}  // namespace

residue_counts counts_of(std::span<const residue> protein, const alphabet& letters) {
  residue_counts made{};
  for (const residue each : protein) ++made[each];
  for (std::size_t code = 0; code != codes; ++code) {
    if (!letters.is_definite(static_cast<residue>(code))) made[code] = 0;
  }
  return made;
}

composition_correction::composition_correction(const score_matrix& scores, const frequencies& average)
    : scores_(scores) {
  const std::vector<double> known = probabilities(average, average);
  // Starts above the only root. Newton's steps lead down to the root, because the excess is convex.
  lambda_ = 1;
  while (excess(known, lambda_).first < 0) lambda_ *= 2;
  for (int round = 0; round != 100; ++round) {
    const auto [value, slope] = excess(known, lambda_);
    lambda_ -= value / slope;
  }
  if (!(lambda_ > 0)) throw std::invalid_argument("two residues score 0 or more on average");
}

double composition_correction::factor(const residue_counts& query, const residue_counts& subject) const {
  const std::vector<double> of_pair = probabilities(frequencies_of(query), frequencies_of(subject));
  if (excess(of_pair, lambda_).first <= 0) return 1;  // also if the composition of one protein is not known
  if (excess(of_pair, least_factor * lambda_).first >= 0) return least_factor;
  double lambda = lambda_;
  for (double step = lambda; step > 1e-7 * lambda_; lambda -= step) {
    const auto [value, slope] = excess(of_pair, lambda);
    step = value / slope;
  }
  return std::round(lambda / lambda_ * 1e5) / 1e5;
}

std::vector<double> composition_correction::probabilities(const frequencies& query, const frequencies& subject) const {
  std::vector<double> made(static_cast<std::size_t>(scores_.most() - scores_.least() + 1));
  for (residue a = 0; a != codes; ++a) {
    for (residue b = 0; query[a] != 0 && b != codes; ++b) {
      if (subject[b] != 0) made[static_cast<std::size_t>(scores_(a, b) - scores_.least())] += query[a] * subject[b];
    }
  }
  return made;
}

std::pair<double, double> composition_correction::excess(const std::vector<double>& probabilities,
                                                         double lambda) const {
  const double one = std::exp(lambda);
  double term = std::exp(lambda * scores_.least()), sum = -1, slope = 0;
  for (std::size_t i = 0; i != probabilities.size(); ++i, term *= one) {
    sum += probabilities[i] * term;
    slope += probabilities[i] * term * (scores_.least() + static_cast<double>(i));
  }
  return {sum, slope};
}

}  // namespace swsearch
