// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "composition.hpp"

#include "sequences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace swsearch {
namespace {

const score_matrix& blosum62() {
  static const score_matrix made = score_matrix::named("BLOSUM62");
  return made;
}

residue_counts counts(std::string_view protein) { return counts_of(residues(protein), alphabet::protein()); }

residue_counts average_counts() {
  residue_counts made{};
  for (std::size_t code = 0; code != codes; ++code)
    made[code] = static_cast<std::uint32_t>(std::lround(protein_frequencies()[code] * 1e6));
  return made;
}

// Computes lambda by bisection, from the mean over all pairs of residues.
double lambda_of(const residue_counts& a, const residue_counts& b) {
  const auto mean = [&](double lambda) {
    double sum = 0, pairs = 0;
    for (residue i = 0; i != codes; ++i) {
      for (residue j = 0; j != codes; ++j) {
        const double these = static_cast<double>(a[i]) * b[j];
        sum += these * std::exp(lambda * blosum62()(i, j));
        pairs += these;
      }
    }
    return sum / pairs;
  };
  double low = 1e-3, high = 2;
  for (int round = 0; round != 60; ++round) {
    const double middle = (low + high) / 2;
    (mean(middle) < 1 ? low : high) = middle;
  }
  return high;
}

TEST(counts_of, leaves_out_what_is_no_single_residue) {
  const residue_counts found = counts("AACWXB*");
  EXPECT_EQ(found[alphabet::protein().code_of('A')], 2u);
  EXPECT_EQ(found[alphabet::protein().code_of('C')], 1u);
  EXPECT_EQ(found[alphabet::protein().code_of('W')], 1u);
  for (const char each : {'X', 'B', '*', 'R'}) EXPECT_EQ(found[alphabet::protein().code_of(each)], 0u) << each;
}

TEST(composition_correction, leaves_the_scores_of_average_proteins) {
  EXPECT_EQ(composition_correction(blosum62(), protein_frequencies()).factor(average_counts(), average_counts()), 1);
}

TEST(composition_correction, is_the_share_of_lambda_that_is_left) {
  const composition_correction correction(blosum62(), protein_frequencies());
  const double average = lambda_of(average_counts(), average_counts());
  EXPECT_NEAR(average, 0.3176, 5e-4);  // published value
  std::mt19937 random(3);
  int between = 0;
  for (int round = 0; round != 200; ++round) {
    residue_counts of_two[2]{};
    for (residue_counts& each : of_two) {
      each = average_counts();
      // More or less rich in the same few residues.
      for (int i = 0; i != 4; ++i)
        each[static_cast<std::size_t>(i * i)] += static_cast<std::uint32_t>(random() % 400'000);
    }
    const double expected = std::clamp(lambda_of(of_two[0], of_two[1]) / average, 0.5, 1.0);
    EXPECT_NEAR(correction.factor(of_two[0], of_two[1]), expected, 1e-4);
    EXPECT_EQ(correction.factor(of_two[0], of_two[1]), correction.factor(of_two[1], of_two[0]));
    if (expected > 0.5 && expected < 1) ++between;
  }
  EXPECT_GT(between, 100);
}

TEST(composition_correction, keeps_to_its_limits) {
  const composition_correction correction(blosum62(), protein_frequencies());
  EXPECT_EQ(correction.factor(counts("QQQQQQQQQQ"), counts("QQQQQQQQ")), 0.5);  // pairs score 5 on average
  EXPECT_EQ(correction.factor(counts("QQQQQQQQQQ"), counts("LLLLLLLL")), 1);    // none scores above 0
  EXPECT_EQ(correction.factor(counts("XXXX"), counts("QQQQ")), 1);  // all residues of one sequence are unknown
  EXPECT_EQ(correction.factor(counts(""), counts("")), 1);
}

}  // namespace
}  // namespace swsearch
