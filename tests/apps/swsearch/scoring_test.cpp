// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "scoring.hpp"

#include "reference.hpp"
#include "sequences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

namespace swsearch {
namespace {

std::string refusal(const std::string& text) {
  try {
    score_matrix::parsed(text, alphabet::protein(), "file");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

int score(const score_matrix& of, char a, char b) {
  return of(alphabet::protein().code_of(a), alphabet::protein().code_of(b));
}

TEST(score_matrix, knows_those_of_ncbi) {
  const score_matrix blosum50 = score_matrix::named("blosum50");
  EXPECT_EQ(score(blosum50, 'W', 'W'), 15);
  EXPECT_EQ(score(blosum50, 'w', 'D'), -5);
  EXPECT_EQ(score(blosum50, 'X', 'A'), -1);  // EMBOSS has another value
  EXPECT_EQ(blosum50.least(), -5);
  EXPECT_EQ(blosum50.most(), 15);
  EXPECT_EQ(score(blosum50, 'U', 'C'), 13);
  EXPECT_EQ(score(blosum50, 'O', 'A'), -1);
  EXPECT_EQ(score_matrix::names().size(), 8u);
  for (const std::string_view name : score_matrix::names()) {
    const score_matrix each = score_matrix::named(name);
    for (residue a = 0; a != 25; ++a) {
      for (residue b = 0; b != 25; ++b) EXPECT_EQ(each(a, b), each(b, a)) << name;
    }
  }
  EXPECT_THROW(score_matrix::named("BLOSUM63"), std::invalid_argument);
}

TEST(score_matrix, says_what_is_wrong_with_a_file) {
  EXPECT_EQ(refusal(""), "file:1: there is no line of letters");
  EXPECT_EQ(refusal("# none\n"), "file:2: there is no line of letters");
  EXPECT_EQ(refusal(" A X\nA 1 2\n"), "file:3: the row for X is missing");
  EXPECT_EQ(refusal(" A X\nA 1 2\nX 1\n"), "file:3: 1 scores, but there are 2 letters above");
  EXPECT_EQ(refusal(" A X\nA 1 2\nA 1 2\n"), "file:3: a second row for A");
  EXPECT_EQ(refusal(" A X\nA 1 q\n"), "file:2: 'q' is not a whole number from -100 to 100");
  EXPECT_EQ(refusal(" A X\nA 1 101\n"), "file:2: '101' is not a whole number from -100 to 100");
  EXPECT_EQ(refusal(" A 7\n"), "file:1: '7' is not one of the letters ARNDCQEGHILKMFPSTWYVBJZX*UO");
  EXPECT_EQ(refusal(" A\nA 1\n"), "file:3: the row for X is missing");
}

TEST(score_matrix, scores_letters_that_a_file_lacks_as_unknown) {
  const score_matrix made = score_matrix::parsed("  A X # two\nA 4 -1\nX -1 -2\n", alphabet::protein(), "file");
  EXPECT_EQ(score(made, 'A', 'W'), -1);
  EXPECT_EQ(score(made, 'W', 'R'), -2);
  EXPECT_EQ(made.least(), -2);
}

TEST(reference, gives_known_scores) {
  const score_matrix blosum50 = score_matrix::named("BLOSUM50");
  const auto of = [&](const char* a, const char* b, gap_costs gaps) {
    return reference_score(residues(a), residues(b), blosum50, gaps);
  };
  EXPECT_EQ(of("HEAGAWGHEE", "PAWHEAE", {0, 8}), 28);  // Durbin et al., Biological sequence analysis, figure 2.6
  EXPECT_EQ(of("WWWWW", "WWAWWW", {10, 2}), 5 * 15 - 12);
  EXPECT_EQ(of("WWWWW", "WWAAAWWW", {10, 2}), 5 * 15 - 16);
  EXPECT_EQ(of("", "W", {10, 2}), 0);
  EXPECT_EQ(of("W", "D", {10, 2}), 0);
}

TEST(reference, is_symmetric_monotonous_and_the_same_backwards) {
  std::mt19937 random(11);
  const score_matrix scores = score_matrix::named("BLOSUM62");
  for (int round = 0; round != 100; ++round) {
    auto a = random_residues(random, random() % 80);
    auto b = round % 2 == 0 ? mutated(random, a, 5) : random_residues(random, random() % 80);
    const gap_costs gaps{static_cast<int>(random() % 12), static_cast<int>(random() % 4)};
    const auto score_of = [&](gap_costs costs) { return reference_score(a, b, scores, costs); };
    const std::int64_t found = score_of(gaps);
    EXPECT_EQ(reference_score(b, a, scores, gaps), found);
    EXPECT_LE(score_of({gaps.open + 1, gaps.extend}), found);
    EXPECT_LE(score_of({gaps.open, gaps.extend + 1}), found);
    std::ranges::reverse(a);
    std::ranges::reverse(b);
    EXPECT_EQ(score_of(gaps), found);
  }
}

}  // namespace
}  // namespace swsearch
