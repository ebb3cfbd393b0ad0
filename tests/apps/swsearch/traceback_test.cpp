// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#define HWY_WANT_AVX3_DL 1  // as in the sweep
#include "traceback.hpp"

#include "reference.hpp"
#include "sequences.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace swsearch {
namespace {

using residue_list = std::vector<residue>;

// Computes the promised result, cell by cell from whole tables.
alignment expected_of(const residue_list& query, const residue_list& subject, const score_matrix& scores,
                      const gap_costs& gaps) {
  struct cell {
    std::int64_t best, down, right;  // the best score that ends in a gap of that direction
  };
  constexpr std::int64_t never = -(std::int64_t{1} << 60);
  const std::int64_t first = std::int64_t{gaps.open} + gaps.extend;
  std::vector<std::vector<cell>> table(subject.size() + 1, std::vector<cell>(query.size() + 1, {0, never, never}));
  alignment made;
  for (std::size_t i = 1; i <= subject.size(); ++i) {
    for (std::size_t j = 1; j <= query.size(); ++j) {
      cell& here = table[i][j];
      const cell& above = table[i - 1][j];
      const cell& left = table[i][j - 1];
      here.down = std::max(above.best - first, above.down - gaps.extend);
      here.right = std::max(left.best - first, left.right - gaps.extend);
      here.best = std::max(
          {std::int64_t{0}, table[i - 1][j - 1].best + scores(query[j - 1], subject[i - 1]), here.down, here.right});
      if (here.best > made.score) made = {here.best, 0, j, 0, i, {}};
    }
  }
  std::size_t i = made.subject_end, j = made.query_end;
  const auto add = [&](column_kind kind) {
    if (made.runs.empty() || made.runs.back().kind != kind) made.runs.push_back({kind, 0});
    ++made.runs.back().length;
  };
  while (table[i][j].best != 0) {
    const cell& here = table[i][j];
    if (here.best == table[i - 1][j - 1].best + scores(query[j - 1], subject[i - 1])) {
      add(column_kind::both);
      --i, --j;
    } else if (here.best == here.down) {
      for (bool opens = false; !opens; --i) {
        add(column_kind::subject_only);
        opens = table[i][j].down == table[i - 1][j].best - first;
      }
    } else {
      for (bool opens = false; !opens; --j) {
        add(column_kind::query_only);
        opens = table[i][j].right == table[i][j - 1].best - first;
      }
    }
  }
  made.subject_begin = i;
  made.query_begin = j;
  std::ranges::reverse(made.runs);
  return made;
}

// Expects that runs and ends fit together, and that every part of the alignment up to some column,
// and from some column, scores more than 0.
// @return the sum of the scores of the columns
std::int64_t rescored(const alignment& of, const residue_list& query, const residue_list& subject,
                      const score_matrix& scores, const gap_costs& gaps) {
  std::vector<std::int64_t> sums{0};
  std::size_t q = of.query_begin, s = of.subject_begin;
  column_kind before = column_kind::query_only;
  for (const run& each : of.runs) {
    EXPECT_NE(each.length, 0u);
    EXPECT_TRUE(&each == &of.runs.front() || each.kind != before);
    before = each.kind;
    std::int64_t sum = sums.back();
    if (each.kind != column_kind::both) {
      sum -= gaps.open + std::int64_t{gaps.extend} * static_cast<std::int64_t>(each.length);
      sums.push_back(sum);
      (each.kind == column_kind::query_only ? q : s) += each.length;
      continue;
    }
    for (std::size_t i = 0; i != each.length; ++i) {
      if (q == query.size() || s == subject.size()) {
        ADD_FAILURE() << "runs too far";
        return -1;
      }
      sum += scores(query[q++], subject[s++]);
      sums.push_back(sum);
    }
  }
  EXPECT_EQ(q, of.query_end);
  EXPECT_EQ(s, of.subject_end);
  if (of.runs.empty()) {
    EXPECT_EQ(of, alignment{});
  } else {
    EXPECT_EQ(of.runs.front().kind, column_kind::both);
    EXPECT_EQ(of.runs.back().kind, column_kind::both);
    EXPECT_GT(*std::min_element(sums.begin() + 1, sums.end()), 0);
    EXPECT_LT(*std::max_element(sums.begin(), sums.end() - 1), sums.back());
  }
  return sums.back();
}

score_matrix matrix_of(int match, int mismatch) { return score_matrix::dna(match, mismatch, mismatch); }

// The parameter is an instruction set of this machine.
class traceback : public testing::TestWithParam<std::int64_t> {
 protected:
  traceback() { hwy::SetSupportedTargetsForTest(GetParam()); }
  ~traceback() override { hwy::SetSupportedTargetsForTest(0); }

  // Expects the same result for all ways to divide the work.
  void compare(const residue_list& query, const residue_list& subject, const score_matrix& scores,
               const gap_costs& gaps) {
    const alignment expected = expected_of(query, subject, scores, gaps);
    ASSERT_EQ(expected.score, reference_score(query, subject, scores, gaps));
    for (traceback_memory* memory : {&whole_, &halves_, &thirds_}) {
      const alignment found = align_traced(query, subject, scores, gaps, *memory);
      ASSERT_EQ(found, expected) << gaps.text() << ", " << query.size() << " x " << subject.size() << ": "
                                 << cigar(found) << ", not " << cigar(expected);
      ASSERT_EQ(rescored(found, query, subject, scores, gaps), found.score);
    }
  }

  traceback_memory memory_;
  traceback_memory whole_{2, 1'000'000};
  traceback_memory halves_{2, 256};
  traceback_memory thirds_{3, 700};
};

std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> made;
  for (auto left = static_cast<std::uint64_t>(hwy::SupportedTargets() & HWY_TARGETS); left != 0; left &= left - 1)
    made.push_back(static_cast<std::int64_t>(left & -left));
  return made;
}

INSTANTIATE_TEST_SUITE_P(with, traceback, testing::ValuesIn(targets()), [](const auto& which) {
  std::string name = hwy::TargetName(static_cast<std::uint32_t>(which.param));
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name + "_" + std::to_string(which.index);
});

TEST_P(traceback, chooses_among_many_equal_alignments_as_it_promises) {
  std::mt19937 random(1);
  for (int round = 0; round != (is_slow ? 60 : 150); ++round) {
    const auto kinds = static_cast<unsigned>(1 + random() % 4);
    const auto query = random_residues(random, random() % 70, kinds);
    const auto subject = random_residues(random, random() % 70, kinds);
    const score_matrix scores = matrix_of(1 + static_cast<int>(random() % 5), -static_cast<int>(random() % 6));
    compare(query, subject, scores, {static_cast<int>(random() % 6), static_cast<int>(random() % 4)});
  }
}

TEST_P(traceback, traces_proteins_that_are_alike) {
  std::mt19937 random(2);
  const score_matrix scores = score_matrix::named("BLOSUM62");
  for (int round = 0; round != (is_slow ? 6 : 20); ++round) {
    auto query = random_residues(random, 100 + random() % 100);
    auto subject = mutated(random, query, 3 + static_cast<unsigned>(random() % 10));
    if (round % 2 == 0) std::swap(query, subject);
    compare(query, subject, scores, {static_cast<int>(random() % 12), static_cast<int>(random() % 3)});
  }
}

TEST_P(traceback, tells_query_from_subject_in_an_unsymmetric_matrix) {
  std::mt19937 random(4);
  const score_matrix scores =
      score_matrix::parsed("  A R X\nA 3 -4 0\nR 2 5 -1\nX -3 1 -1\n", alphabet::protein(), "test");
  for (int round = 0; round != 20; ++round) {
    compare(random_residues(random, 60, 2), random_residues(random, 60, 2), scores, {1, 1});
  }
}

TEST_P(traceback, puts_an_insertion_next_to_a_deletion) {
  const score_matrix scores = matrix_of(5, -100);
  const auto query = residues("AAAAAAAAGCCCCCCCC", alphabet::dna());
  const auto subject = residues("AAAAAAAATTCCCCCCCC", alphabet::dna());
  for (const gap_costs gaps : {gap_costs{0, 4}, {1, 1}, {0, 0}, {10, 2}}) {
    compare(query, subject, scores, gaps);
    compare(subject, query, scores, gaps);
  }
  EXPECT_EQ(cigar(align_traced(query, subject, scores, {1, 1}, memory_)), "8M1I2D8M");
}

TEST_P(traceback, takes_costs_of_nothing_and_of_more_than_anything) {
  std::mt19937 random(5);
  const score_matrix scores = matrix_of(3, -2);
  for (const gap_costs gaps : {gap_costs{0, 0},
                               {1'000'000, 0},
                               {0, 1'000'000},
                               {1'000'000, 1'000'000},
                               {50, 0},
                               {0, 50},
                               {2'000'000'000, 2'000'000'000}}) {
    for (int round = 0; round != 5; ++round) {
      const auto query = random_residues(random, 50, 3);
      compare(query, mutated(random, query, 5), scores, gaps);
      compare(query, random_residues(random, 50, 3), scores, gaps);
    }
  }
}

TEST_P(traceback, takes_sequences_of_no_and_of_one_residue) {
  const score_matrix scores = score_matrix::named("BLOSUM62");
  for (const char* query : {"", "W", "*", "X", "U", "ARNDCQEGHILKMFPSTWYVBJZX*"}) {
    for (const char* subject : {"", "W", "*", "X", "J", "C"})
      compare(residues(query), residues(subject), scores, {11, 1});
  }
}

TEST_P(traceback, finds_nothing_where_nothing_is_alike) {
  const auto all = residues("ACGTACGT", alphabet::dna());
  compare(all, all, matrix_of(-1, -1), {0, 0});
  compare(all, all, matrix_of(0, 0), {0, 0});
  compare(residues("AAAA", alphabet::dna()), residues("CCCC", alphabet::dna()), matrix_of(5, -4), {0, 0});
}

TEST_P(traceback, spans_a_long_gap) {
  std::mt19937 random(6);
  const score_matrix scores = score_matrix::named("BLOSUM62");
  const auto query = random_residues(random, is_slow ? 80 : 200);
  auto subject = query;
  const auto inside = random_residues(random, is_slow ? 1'000 : 4'000);
  subject.insert(subject.begin() + static_cast<std::ptrdiff_t>(query.size() / 2), inside.begin(), inside.end());
  for (const gap_costs gaps : {gap_costs{11, 0}, {0, 0}}) {
    const alignment found = align_traced(query, subject, scores, gaps, memory_);
    EXPECT_EQ(found.score, reference_score(query, subject, scores, gaps));
    EXPECT_EQ(rescored(found, query, subject, scores, gaps), found.score);
    const alignment other = align_traced(subject, query, scores, gaps, memory_);
    EXPECT_EQ(other.score, found.score);
    EXPECT_EQ(rescored(other, subject, query, scores, gaps), found.score);
    if (gaps.open == 0) continue;
    const auto gap = std::ranges::max(found.runs, {}, &run::length);
    EXPECT_EQ(gap.kind, column_kind::subject_only);
    EXPECT_GT(gap.length, inside.size() * 3 / 4);
  }
}

// One memory makes `align_traced` divide the work as usual, the other into as many parts as
// possible.
TEST_P(traceback, is_the_same_for_long_sequences_however_they_are_divided) {
  std::mt19937 random(7);
  const score_matrix scores = score_matrix::named("BLOSUM50");
  const auto query = random_residues(random, is_slow ? 500 : 3'000);
  const auto subject = mutated(random, query, 4);
  traceback_memory pieces(4, 256);
  for (const gap_costs gaps : {gap_costs{10, 2}, {0, 1}}) {
    const alignment found = align_traced(query, subject, scores, gaps, memory_);
    EXPECT_EQ(found, align_traced(query, subject, scores, gaps, pieces));
    EXPECT_EQ(found.score, reference_score(query, subject, scores, gaps));
    EXPECT_EQ(rescored(found, query, subject, scores, gaps), found.score);
  }
}

TEST(traceback_memory, is_linear_in_the_lengths) {
  std::mt19937 random(8);
  const score_matrix scores = score_matrix::named("BLOSUM50");
  const std::size_t length = is_slow ? 1'500 : 35'213;
  const auto query = random_residues(random, length);
  const auto subject = mutated(random, query, 20);
  traceback_memory memory;
  const alignment found = align_traced(query, subject, scores, {10, 2}, memory);
  EXPECT_EQ(rescored(found, query, subject, scores, {10, 2}), found.score);
  EXPECT_GT(found.score, static_cast<std::int64_t>(3 * length));
  EXPECT_LT(memory.bytes(), (query.size() + subject.size()) * 32 * 8 * 5 / 4 + 1'000'000);
  traceback_memory few(4);
  EXPECT_EQ(align_traced(query, subject, scores, {10, 2}, few), found);
  EXPECT_LT(few.bytes(), (query.size() + subject.size()) * 4 * 8 * 3 + 1'000'000);
}

TEST(traceback_memory, can_be_used_again_for_other_lengths) {
  std::mt19937 random(9);
  const score_matrix scores = matrix_of(2, -1);
  traceback_memory memory(2, 256);
  for (const std::size_t length : {400, 3, 120, 0, 500, 33}) {
    const auto query = random_residues(random, length, 4);
    const auto subject = random_residues(random, 200, 4);
    traceback_memory fresh;
    EXPECT_EQ(align_traced(query, subject, scores, {2, 1}, memory),
              align_traced(query, subject, scores, {2, 1}, fresh));
  }
}

TEST(align_traced, takes_one_sequence_of_a_million) {
  std::mt19937 random(10);
  const score_matrix scores = score_matrix::dna(2, -3, -1);
  const auto query = random_residues(random, 40, 4);
  auto subject = random_residues(random, is_slow ? 60'000 : 1'000'000, 4);
  std::ranges::copy(query, subject.end() - 1'000);
  traceback_memory memory;
  const alignment found = align_traced(query, subject, scores, {5, 2}, memory);
  EXPECT_EQ(found, (alignment{80, 0, 40, subject.size() - 1'000, subject.size() - 960, {{column_kind::both, 40}}}));
  const alignment other = align_traced(subject, query, scores, {5, 2}, memory);
  EXPECT_EQ(other, (alignment{80, subject.size() - 1'000, subject.size() - 960, 0, 40, {{column_kind::both, 40}}}));
}

TEST(align_traced, refuses_scores_that_it_could_not_add_up) {
  const score_matrix scores = score_matrix::dna(100, -1, -1);
  const residue_list tall(5'400'000);
  traceback_memory memory;
  EXPECT_THROW(align_traced(tall, tall, scores, {10, 2}, memory), std::length_error);
}

}  // namespace
}  // namespace swsearch
