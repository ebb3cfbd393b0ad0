// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "alignment.hpp"

#include "sequences.hpp"

#include <gtest/gtest.h>

namespace swsearch {
namespace {

constexpr auto both = column_kind::both;
constexpr auto query_only = column_kind::query_only;
constexpr auto subject_only = column_kind::subject_only;

TEST(cigar, names_runs) {
  EXPECT_EQ(cigar({}), "");
  EXPECT_EQ(cigar({9, 0, 19, 0, 16, {{both, 12}, {query_only, 3}, {both, 4}}}), "12M3I4M");
  EXPECT_EQ(cigar({9, 0, 4, 0, 5, {{both, 2}, {query_only, 1}, {subject_only, 2}, {both, 1}}}), "2M1I2D1M");
}

TEST(counts_of, an_alignment_are_those_of_blast) {
  const score_matrix scores = score_matrix::named("BLOSUM62");
  const auto query = residues("KKWWVXDWWAUW");
  const auto subject = residues("WWIXWWWCAAW");
  EXPECT_EQ(counts_of({}, query, subject, scores), alignment_counts{});
  // WWVXDWW-AUW
  // WWIXWWWCA-AW: V and I are alike, X is X, D and W are not alike
  const alignment made{9, 2,  12,
                       0, 11, {{both, 7}, {subject_only, 1}, {both, 1}, {query_only, 1}, {subject_only, 1}, {both, 1}}};
  EXPECT_EQ(
      counts_of(made, query, subject, scores),
      (alignment_counts{
          .columns = 12, .identities = 7, .positives = 8, .mismatches = 2, .gap_openings = 3, .gap_residues = 3}));
}

}  // namespace
}  // namespace swsearch
