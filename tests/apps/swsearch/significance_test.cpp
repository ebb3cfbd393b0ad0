// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#define HWY_WANT_AVX3_DL 1  // as in the kernel
#include "significance.hpp"

#include "search.hpp"
#include "sequences.hpp"
#include "usual_costs.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace swsearch {
namespace {

struct published {
  const char* matrix;
  gap_costs gaps;
  double lambda;
  double k;
};

// Values published by BLAST, for BLOSUM62.
constexpr published of_blast[] = {
    {"BLOSUM62", {11, 1}, 0.267, 0.041}, {"BLOSUM62", {6, 2}, 0.201, 0.012},  {"BLOSUM62", {11, 2}, 0.297, 0.082},
    {"BLOSUM62", {10, 2}, 0.291, 0.075}, {"BLOSUM62", {9, 2}, 0.279, 0.058},  {"BLOSUM62", {8, 2}, 0.264, 0.045},
    {"BLOSUM62", {7, 2}, 0.239, 0.027},  {"BLOSUM62", {13, 1}, 0.292, 0.071}, {"BLOSUM62", {12, 1}, 0.283, 0.059},
    {"BLOSUM62", {10, 1}, 0.243, 0.024}, {"BLOSUM62", {9, 1}, 0.206, 0.010}};

significance fitted(const char* matrix, gap_costs gaps, double effort = 1) {
  return fit_significance(score_matrix::named(matrix), gaps, protein_frequencies(), effort);
}

std::string refusal(const score_matrix& scores, gap_costs gaps) {
  try {
    fit_significance(scores, gaps, protein_frequencies(), 0.05);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

double lambda_without_gaps(const score_matrix& scores, const frequencies& of_residues) {
  double low = 0, high = 5;
  for (int i = 0; i != 60; ++i) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (residue a = 0; a != 25; ++a) {
      for (residue b = 0; b != 25; ++b) sum += of_residues[a] * of_residues[b] * std::exp(middle * scores(a, b));
    }
    (sum < 1 ? low : high) = middle;
  }
  return low;
}

// A random sequence, from other random numbers than those of the fit.
std::vector<residue> drawn(std::mt19937& random, const frequencies& of_residues, std::size_t length) {
  std::vector<residue> made(length);
  for (residue& each : made) {
    double left = static_cast<double>(random()) / 4294967296.0;
    for (each = 0; each + 1 != codes && left >= of_residues[each]; ++each) left -= of_residues[each];
    while (of_residues[each] == 0) --each;
  }
  return made;
}

TEST(long_significance, is_that_of_blast) {
  const std::span<const published> all = of_blast;
  for (const auto& [matrix, gaps, lambda, k] : all.first(is_slow ? 1 : all.size())) {
    const significance found = fitted(matrix, gaps, is_slow ? 0.25 : 1);
    EXPECT_NEAR(found.lambda / lambda, 1, is_slow ? 0.1 : 0.03) << gaps.text();
    EXPECT_NEAR(std::log(found.k / k), 0, is_slow ? 1 : 0.35) << gaps.text();
  }
}

TEST(significance, is_known_where_gaps_cost_too_much) {
  const double effort = is_slow ? 0.05 : 0.5, near = is_slow ? 0.1 : 0.025;
  const score_matrix scores = score_matrix::named("BLOSUM62");
  const significance found = fitted("BLOSUM62", {100, 100}, effort);
  EXPECT_NEAR(lambda_without_gaps(scores, protein_frequencies()), 0.3176, 5e-5);
  EXPECT_NEAR(found.lambda / 0.3176, 1, near);
  EXPECT_NEAR(std::log(found.k / 0.134), 0, is_slow ? 1 : 0.25);
  if (is_slow) return;
  EXPECT_EQ(fitted("BLOSUM62", {1'000'000, 1'000'000}, 0.1).lambda, fitted("BLOSUM62", {100, 100}, 0.1).lambda);
  // Only even scores occur.
  for (const auto& [match, mismatch] : {std::pair{1, -3}, {2, -6}}) {
    const score_matrix dna = score_matrix::dna(match, mismatch, mismatch);
    const double exact = lambda_without_gaps(dna, dna_frequencies());
    EXPECT_NEAR(fit_significance(dna, {20, 20}, dna_frequencies(), effort).lambda / exact, 1, near);
  }
}

TEST(significance, knows_dna) {
  const significance found =
      fit_significance(score_matrix::dna(2, -3, -3), {5, 2}, dna_frequencies(), is_slow ? 0.1 : 1);
  EXPECT_NEAR(found.lambda / 0.625, 1, is_slow ? 0.1 : 0.03);
  EXPECT_NEAR(std::log(found.k / 0.41), 0, is_slow ? 1 : 0.35);
}

TEST(long_usual_costs, have_the_numbers_that_are_fitted) {
  for (const usual_costs& each : all_usual_costs()) {
    if (is_slow) break;
    const bool is_dna = each.matrix == "2 / -3";
    const significance found =
        fit_significance(is_dna ? score_matrix::dna(2, -3, -3) : score_matrix::named(each.matrix), each.gaps,
                         is_dna ? dna_frequencies() : protein_frequencies());
    for (const auto part : {&significance::lambda, &significance::k, &significance::alpha, &significance::beta,
                            &significance::dispersion})
      EXPECT_NEAR(found.*part, each.chance.*part, 1e-5 * std::abs(found.*part))
          << each.matrix << ", " << each.gaps.text();
    EXPECT_TRUE(known_significance(each.matrix, each.gaps));
  }
  EXPECT_EQ(default_gaps("blosum50").open, 13);
  EXPECT_EQ(default_gaps("mine").open, 11);
  EXPECT_FALSE(known_significance("BLOSUM62", {3, 3}));
}

// Number of random sequences with at most some e-value, for random queries.
TEST(long_significance, expects_what_is_found) {
  if (is_slow) GTEST_SKIP() << "it takes minutes here";
  std::mt19937 random(4711);
  std::vector<std::vector<residue>> all;
  for (int i = 0; i != 1000; ++i) all.push_back(drawn(random, protein_frequencies(), 60 + random() % 600));
  const database subjects = database_of(all);
  for (const auto& [matrix, gaps] : {std::pair{"BLOSUM62", gap_costs{11, 1}}, {"BLOSUM50", gap_costs{10, 2}}}) {
    const score_matrix scores = score_matrix::named(matrix);
    const significance found = fitted(matrix, gaps, 1);
    searcher search(scores, gaps);
    for (const auto& [length, queries] : {std::pair{50, 800}, {300, 300}, {2000, 60}}) {
      constexpr double limits[] = {0.1, 1, 10};
      double counted[3] = {};
      for (int i = 0; i != queries; ++i) {
        const auto query = drawn(random, protein_frequencies(), static_cast<std::size_t>(length));
        auto hits = search.search(subjects, query, 0, subjects.batches());
        search.search_again(subjects, query, hits);
        for (const hit& each : hits) {
          const double e =
              found.e_value(each.score, query.size(), subjects.length(each.number), subjects.whole().residues);
          for (std::size_t at = 0; at != 3; ++at) counted[at] += e <= limits[at] ? 1 : 0;
        }
      }
      for (std::size_t at = 0; at != 3; ++at) {
        // Scores are whole numbers, so somewhat fewer have at most this e-value; four standard
        // deviations are added.
        const double expected = limits[at] * queries, noise = 4 * std::sqrt(expected);
        EXPECT_LT(counted[at], 1.25 * expected + noise) << matrix << ", " << length << ", " << limits[at];
        EXPECT_GT(counted[at], 0.65 * expected - noise) << matrix << ", " << length << ", " << limits[at];
        RecordProperty("found_" + std::string(matrix) + "_" + std::to_string(length) + "_" + std::to_string(at),
                       std::to_string(counted[at] / expected));
      }
    }
  }
}

TEST(significance, falls_with_the_score) {
  const significance of{.lambda = 0.267, .k = 0.041, .alpha = 1.9, .beta = -30, .dispersion = 20};
  EXPECT_NEAR(of.bit_score(100), (0.267 * 100 - std::log(0.041)) / std::log(2.0), 1e-12);
  for (const std::uint64_t length : {1, 10, 50, 300, 35'000}) {
    for (std::int64_t score = 0; score != 3000; ++score) {
      const double here = of.e_value(score, length, 300, 1'000'000);
      ASSERT_GE(here, 0);
      ASSERT_LE(of.e_value(score + 1, length, 300, 1'000'000), here) << length << ", " << score;
      ASSERT_LE(of.e_value(score, length, 300, 1'000'000), of.e_value(score, length + 1, 300, 1'000'000) * (1 + 1e-9));
      ASSERT_NEAR(of.e_value(score, length, 300, 3'000'000), 3 * here, 1e-9 * here + 1e-300);
      ASSERT_EQ(of.expected(static_cast<double>(score), static_cast<double>(length), 300),
                of.expected(static_cast<double>(score), 300, static_cast<double>(length)));
    }
  }
  // If the effect of the lengths is negligible, the textbook formula holds.
  EXPECT_NEAR(of.expected(60, 1e7, 1e7) / (0.041 * 1e14 * std::exp(-0.267 * 60)), 1, 1e-4);
}

TEST(significance, is_refused_where_there_is_none) {
  const score_matrix scores = score_matrix::named("BLOSUM50");
  EXPECT_EQ(
      refusal(scores, {5, 2}),
      "there are no e-values for these scores: where a gap of k costs 5 + 2k, those of random sequences grow with "
      "their length; choose higher costs");
  if (is_slow) return;
  EXPECT_NE(refusal(scores, {0, 0}), "");
  EXPECT_NE(refusal(scores, {8, 2}), "");
  EXPECT_EQ(refusal(scores, {13, 2}), "");
  const auto flat = [](const char* of) {
    return score_matrix::parsed(std::string("  A X\nA ") + of + " " + of + "\nX " + of + " " + of + "\n",
                                alphabet::protein(), "flat");
  };
  EXPECT_EQ(refusal(flat("1"), {10, 2}),
            "there are no e-values for these scores: two residues score 0 or more on average");
  EXPECT_EQ(refusal(flat("-1"), {10, 2}), "there are no e-values for these scores: no two residues score above 0");
  EXPECT_THROW(fit_significance(scores, {13, 2}, {}, 0.01), std::invalid_argument);
}

TEST(long_significance, is_the_same_with_all_instructions) {
  int tried = 0;
  const significance once = fitted("BLOSUM62", {11, 1}, 0.005);
  for (auto left = static_cast<std::uint64_t>(hwy::SupportedTargets() & HWY_TARGETS); left != 0; left &= left - 1) {
    if (++tried > (is_slow ? 2 : 4)) break;  // the narrowest take seconds, and the kernel has tests of its own
    hwy::SetSupportedTargetsForTest(static_cast<std::int64_t>(left & -left));
    const significance again = fitted("BLOSUM62", {11, 1}, 0.005);
    hwy::SetSupportedTargetsForTest(0);
    EXPECT_EQ(again.lambda, once.lambda);
    EXPECT_EQ(again.k, once.k);
    EXPECT_EQ(again.alpha, once.alpha);
    EXPECT_EQ(again.beta, once.beta);
    EXPECT_EQ(again.dispersion, once.dispersion);
  }
}

}  // namespace
}  // namespace swsearch
