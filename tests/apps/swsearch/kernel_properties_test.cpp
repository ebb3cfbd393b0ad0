// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "batches.hpp"
#include "sequences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace swsearch {
namespace {

using sequences = std::vector<std::vector<residue>>;

// Properties of all scores, whatever their values. Aligns as many sequences as there are lanes,
// each against each.
class kernel_properties : public testing::TestWithParam<gap_costs> {
 protected:
  using row = std::array<std::int64_t, lanes>;

  kernel_properties() {
    std::mt19937 random(31);
    while (all_.size() != lanes) {
      all_.push_back(all_.size() % 2 == 0 ? random_residues(random, random() % 70, 27)
                                          : mutated(random, all_[random() % all_.size()], 3 + random() % 30));
    }
  }

  // Returns each score, computed in the narrowest width that holds it.
  std::vector<row> against_each_other(const sequences& queries, const sequences& subjects, const gap_costs& gaps) {
    const subject_batch batch(subjects);
    std::vector<row> made;
    for (const auto& query : queries) {
      row& found = made.emplace_back();
      found.fill(-1);
      for (const width bits : all_widths) {
        const row best = align(bits, query, batch.view(), scores_, gaps, memory_);
        for (std::size_t lane = 0; lane != lanes; ++lane) {
          if (found[lane] < 0) found[lane] = best[lane];
        }
      }
    }
    return made;
  }

  // Returns each sequence joined with its neighbour.
  sequences joined() const {
    sequences made = all_;
    for (std::size_t i = 0; i != lanes; ++i) {
      const auto& next = all_[(i + 1) % lanes];
      made[i].insert(made[i].end(), next.begin(), next.end());
    }
    return made;
  }

  const score_matrix scores_ = score_matrix::named("BLOSUM62");
  sequences all_;
  kernel_memory memory_;
};

INSTANTIATE_TEST_SUITE_P(with, kernel_properties, testing::Values(gap_costs{11, 1}, gap_costs{0, 1}, gap_costs{1, 0}),
                         [](const auto& which) {
                           return std::to_string(which.param.open) + "_" + std::to_string(which.param.extend);
                         });

TEST_P(kernel_properties, are_the_same_with_query_and_subject_exchanged) {
  const auto found = against_each_other(all_, all_, GetParam());
  for (std::size_t i = 0; i != lanes; ++i) {
    for (std::size_t j = 0; j != i; ++j) EXPECT_EQ(found[i][j], found[j][i]) << i << ", " << j;
  }
}

TEST_P(kernel_properties, are_the_same_from_behind) {
  const auto found = against_each_other(all_, all_, GetParam());
  for (auto& each : all_) std::ranges::reverse(each);
  EXPECT_EQ(against_each_other(all_, all_, GetParam()), found);
}

TEST_P(kernel_properties, never_rise_with_what_gaps_cost) {
  const auto found = against_each_other(all_, all_, GetParam());
  for (const gap_costs more : {gap_costs{GetParam().open + 1, GetParam().extend},
                               gap_costs{GetParam().open, GetParam().extend + 1}, gap_costs{500, 0}}) {
    const auto lower = against_each_other(all_, all_, more);
    for (std::size_t i = 0; i != lanes; ++i) {
      for (std::size_t j = 0; j != lanes; ++j) ASSERT_LE(lower[i][j], found[i][j]) << i << ", " << j;
    }
  }
}

// Two joined sequences score at least as much as the better one, and at most as much as both
// together.
TEST_P(kernel_properties, of_joined_sequences_lie_between_the_better_one_and_the_sum) {
  const auto found = against_each_other(all_, all_, GetParam());
  const auto of_queries = against_each_other(joined(), all_, GetParam());
  const auto of_subjects = against_each_other(all_, joined(), GetParam());
  for (std::size_t i = 0; i != lanes; ++i) {
    const std::size_t next = (i + 1) % lanes;
    for (std::size_t j = 0; j != lanes; ++j) {
      for (const auto& [whole, a, b] : {std::array{of_queries[i][j], found[i][j], found[next][j]},
                                        std::array{of_subjects[j][i], found[j][i], found[j][next]}}) {
        ASSERT_GE(whole, std::max(a, b)) << i << ", " << j;
        ASSERT_LE(whole, a + b) << i << ", " << j;
      }
    }
  }
}

TEST_P(kernel_properties, of_a_sequence_with_itself_are_those_of_its_residues) {
  for (auto& each : all_) {
    for (residue& one : each) one %= 20;  // the other residues may score less than 0 against themselves
  }
  const auto found = against_each_other(all_, all_, GetParam());
  for (std::size_t i = 0; i != lanes; ++i) {
    std::int64_t sum = 0;
    for (const residue each : all_[i]) sum += scores_(each, each);
    EXPECT_EQ(found[i][i], sum);
  }
}

}  // namespace
}  // namespace swsearch
