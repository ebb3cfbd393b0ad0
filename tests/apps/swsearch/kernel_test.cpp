// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#define HWY_WANT_AVX3_DL 1  // as in the kernel
#include "kernel.hpp"

#include "batches.hpp"
#include "pair.hpp"
#include "reference.hpp"
#include "sequences.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace swsearch {
namespace {

// The parameter is an instruction set of this machine.
class kernels : public testing::TestWithParam<std::int64_t> {
 protected:
  kernels() { hwy::SetSupportedTargetsForTest(GetParam()); }
  ~kernels() override { hwy::SetSupportedTargetsForTest(0); }

  // In each width, a score that fits must be as expected, and a kernel must report a score that
  // does not fit.
  void compare(const std::vector<residue>& query, std::span<const std::vector<residue>> subjects,
               std::span<const std::int64_t> expected, const score_matrix& scores, const gap_costs& gaps) {
    for (std::size_t begin = 0; begin < subjects.size(); begin += lanes) {
      const std::size_t count = std::min(lanes, subjects.size() - begin);
      const subject_batch batch(subjects.subspan(begin, count));
      for (const width bits : all_widths) {
        if (!can_use(bits, scores, gaps)) continue;
        const std::int64_t most = most_certain(bits, scores, gaps);
        const auto best = align(bits, query, batch.view(), scores, gaps, memory_);
        for (std::size_t lane = 0; lane != lanes; ++lane) {
          const std::int64_t score = lane < count ? expected[begin + lane] : 0;
          ASSERT_EQ(best[lane], score > most ? -1 : score)
              << "width " << static_cast<int>(bits) << ", lane " << lane << ", " << gaps.text();
        }
      }
      // Aligns single pairs, in strips of one row in each segment, and in one strip.
      for (std::size_t lane = begin % 5; lane < count; lane += 5) {
        for (pair_memory* const memory : {&short_strips_, &one_strip_}) {
          const pair_score found = align_pair(query, subjects[begin + lane], scores, gaps, *memory);
          ASSERT_EQ(found.score, expected[begin + lane]) << "pair, lane " << lane << ", " << gaps.text();
        }
      }
    }
  }

  void compare(const std::vector<residue>& query, std::span<const std::vector<residue>> subjects,
               const score_matrix& scores, const gap_costs& gaps) {
    std::vector<std::int64_t> expected;
    for (const auto& each : subjects) expected.push_back(reference_score(query, each, scores, gaps));
    compare(query, subjects, expected, scores, gaps);
  }

  kernel_memory memory_;
  pair_memory short_strips_{segments};
  pair_memory one_strip_;
};

std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> made;
  for (auto left = static_cast<std::uint64_t>(hwy::SupportedTargets() & HWY_TARGETS); left != 0; left &= left - 1)
    made.push_back(static_cast<std::int64_t>(left & -left));
  return made;
}

INSTANTIATE_TEST_SUITE_P(with, kernels, testing::ValuesIn(targets()), [](const auto& which) {
  std::string name = hwy::TargetName(which.param);
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name + "_" + std::to_string(which.index);
});

TEST_P(kernels, find_what_the_reference_finds) {
  std::mt19937 random(7);
  const score_matrix scores = score_matrix::named("BLOSUM50");
  for (const gap_costs gaps :
       {gap_costs{10, 2}, {5, 2}, {0, 0}, {0, 1}, {1, 0}, {40, 10}, {3000, 1000}, {1'000'000, 1'000'000}}) {
    for (int round = 0; round != 6; ++round) {
      const auto query = random_residues(random, 1 + random() % 200, 25);
      std::vector<std::vector<residue>> all;
      for (int i = 0; i != 100; ++i) {
        all.push_back(i % 3 == 0 ? mutated(random, query, 2 + random() % 30)
                                 : random_residues(random, random() % 150, 25));
      }
      compare(query, all, scores, gaps);
    }
  }
}

// Sequences with each score around the limits of 7 bits, 8 bits and the certain part of these, and
// of 15 and 16 bits.
TEST_P(kernels, tell_exactly_the_scores_that_they_can_hold) {
  const auto around = [&](std::int64_t number, int reach, int of_a, const score_matrix& scores, const gap_costs& gaps) {
    std::vector<std::vector<residue>> subjects;
    std::vector<std::int64_t> expected;
    for (std::int64_t score = number - reach; score <= number + reach; ++score) {
      subjects.push_back(two_runs(static_cast<std::size_t>(score / of_a), static_cast<std::size_t>(score % of_a)));
      expected.push_back(score);
    }
    const auto query = two_runs(subjects.back().size() + 3, static_cast<std::size_t>(of_a));
    compare(query, subjects, expected, scores, gaps);
  };
  const score_matrix blosum50 = score_matrix::named("BLOSUM50");
  EXPECT_EQ(most_certain(width::bits_8, blosum50, {10, 2}), 226);
  EXPECT_EQ(most_certain(width::bits_8, blosum50, {5, 2}), 231);
  EXPECT_EQ(most_certain(width::bits_16, blosum50, {10, 2}), 65'506);
  const score_matrix low = matrix_of_two(11, 1, -5);
  for (const gap_costs gaps : {gap_costs{10, 2}, {5, 2}, {0, 0}, {60, 20}}) {
    ASSERT_TRUE(can_use(width::bits_8, low, gaps));
    const std::int64_t most = most_certain(width::bits_8, low, gaps);
    EXPECT_EQ(most, 255 - 11 - std::max(5, gaps.open + 2 * gaps.extend));
    for (const std::int64_t number : {std::int64_t{111}, most, std::int64_t{255}}) around(number, 30, 11, low, gaps);
  }
  const score_matrix high = matrix_of_two(100, 1, -100);
  for (const gap_costs gaps : {gap_costs{10, 2}, {20'000, 5'000}}) {
    EXPECT_FALSE(can_use(width::bits_8, high, gaps));
    ASSERT_TRUE(can_use(width::bits_16, high, gaps));
    const std::int64_t most = most_certain(width::bits_16, high, gaps);
    EXPECT_EQ(most, 65'535 - 100 - std::max(100, gaps.open + 2 * gaps.extend));
    for (const std::int64_t number : {std::int64_t{32'767}, most, std::int64_t{65'535}})
      around(number, 3, 100, high, gaps);
  }
}

TEST_P(kernels, score_every_letter_against_every_other_in_either_case) {
  const alphabet& all = alphabet::protein();
  for (const std::string_view name : score_matrix::names()) {
    const score_matrix scores = score_matrix::named(name);
    std::vector<std::vector<residue>> subjects;
    for (const char each : all.letters()) {
      const bool is_letter = std::isalpha(static_cast<unsigned char>(each)) != 0;
      subjects.push_back(residues(std::string(1, is_letter ? static_cast<char>(each - 'A' + 'a') : each)));
    }
    for (const char a : all.letters()) {
      std::vector<std::int64_t> expected;
      for (const char b : all.letters()) expected.push_back(std::max(0, scores(all.code_of(a), all.code_of(b))));
      compare(residues(std::string(1, a)), subjects, expected, scores, {10, 2});
    }
  }
}

// Includes a matrix that is not symmetric.
TEST_P(kernels, take_any_matrix_and_any_costs) {
  std::mt19937 random(23);
  const std::pair<int, int> scores_from_to[] = {{-100, 100}, {-8, 12}, {-100, -1}, {0, 0}, {1, 9}, {-1, 90}, {-90, 1}};
  for (const auto& [least, most] : scores_from_to) {
    const score_matrix scores = random_matrix(random, least, most);
    for (const unsigned highest : {1u, 4u, 30u, 200u, 20'000u, 1'000'001u}) {
      const gap_costs gaps{static_cast<int>(random() % highest), static_cast<int>(random() % highest)};
      const auto query = random_residues(random, 1 + random() % 50, 27);
      std::vector<std::vector<residue>> subjects;
      for (std::size_t i = 0; i != lanes; ++i) {
        subjects.push_back(i % 2 == 0 ? mutated(random, query, 2 + random() % 9)
                                      : random_residues(random, random() % 50, 27));
      }
      compare(query, subjects, scores, gaps);
    }
  }
}

TEST_P(kernels, put_an_insertion_next_to_a_deletion) {
  const score_matrix scores = score_matrix::parsed(
      "  A C G T X\nA 5 -20 -20 -20 -20\nC -20 5 -20 -20 -20\nG -20 -20 5 -20 -20\nT -20 -20 -20 5 -20\nX -20 -20 -20 "
      "-20 -20\n",
      alphabet::protein(), "test");
  const std::vector<std::vector<residue>> all{residues("AAAAAAAACCCCCCCC")};
  const auto query = residues("AAAAAAAAGCCCCCCCC");
  auto with_both = query;
  with_both[8] = residues("T")[0];
  const std::vector<std::vector<residue>> other{with_both};
  for (const gap_costs gaps : {gap_costs{0, 4}, {1, 1}}) {
    compare(query, all, scores, gaps);
    compare(query, other, scores, gaps);
    EXPECT_EQ(reference_score(query, with_both, scores, gaps), 16 * 5 - 2 * (gaps.open + gaps.extend));
  }
}

TEST_P(kernels, take_sequences_of_no_and_of_one_residue) {
  const score_matrix scores = score_matrix::named("BLOSUM62");
  const std::vector<std::vector<residue>> all{
      {}, residues("W"), residues("*"), residues("X"), residues("J"), residues("CUO")};
  for (const char* query : {"", "W", "*", "X", "U", "ARNDCQEGHILKMFPSTWYVBJZX*"}) {
    compare(residues(query), all, scores, {11, 1});
  }
}

TEST_P(kernels, find_nothing_where_nothing_is_alike) {
  const score_matrix scores = score_matrix::parsed("  A X\nA -1 -1\nX -1 -1\n", alphabet::protein(), "test");
  const std::vector<std::vector<residue>> all{residues("AAAA"), residues("A")};
  compare(residues("AAAAAAAA"), all, scores, {0, 0});
}

TEST_P(kernels, align_long_sequences) {
  std::mt19937 random(3);
  const score_matrix scores = score_matrix::named("BLOSUM50");
  const auto query = random_residues(random, 700);
  std::vector<std::vector<residue>> all{random_residues(random, 3000)};
  auto& titin = all.emplace_back();
  while (titin.size() < 35'213) {
    const auto part = mutated(random, query, 6);
    titin.insert(titin.end(), part.begin(), part.end());
  }
  titin.resize(35'213);
  compare(query, all, scores, {10, 2});
  const std::vector<std::vector<residue>> few{random_residues(random, 40), {query.begin(), query.begin() + 60}, {}};
  compare(titin, few, scores, {10, 2});
}

// Along the way, scores grow from 8 to 16 and to 32 bits. Gaps extend over many segments and from
// strip to strip. Either sequence is the longer one.
TEST_P(kernels, align_one_long_pair) {
  struct pair {
    std::vector<residue> query, subject;
    score_matrix scores;
    gap_costs gaps;
    std::int64_t expected;
  };
  static const std::vector<pair> pairs = [] {
    std::vector<pair> made;
    const auto add = [&](std::vector<residue> query, std::vector<residue> subject, const score_matrix& scores,
                         const gap_costs& gaps) {
      const std::int64_t expected = reference_score(query, subject, scores, gaps);
      made.push_back({std::move(query), std::move(subject), scores, gaps, expected});
    };
    std::mt19937 random(31);
    const std::size_t length = is_slow ? 700 : 1'100;
    const auto one = random_residues(random, length, 25);
    auto other = mutated(random, one, 20);
    other.insert(other.begin() + 300, one.begin() + 100, one.begin() + 600);  // a gap of 500, and one of 100
    other.erase(other.begin() + 200, other.begin() + 300);
    for (const std::string_view name : score_matrix::names()) {
      for (const gap_costs gaps : {gap_costs{11, 1}, {0, 1}, {2, 0}}) add(one, other, score_matrix::named(name), gaps);
    }
    const score_matrix any = random_matrix(random, -90, 100), high = matrix_of_two(100, 90, -100);
    for (const gap_costs gaps : {gap_costs{11, 1}, {300, 0}, {3'000, 1'000}}) {
      add(one, other, any, gaps);
      add(other, one, any, gaps);
      add(two_runs(length, length), two_runs(length + 70, length - 90), high, gaps);
    }
    return made;
  }();
  for (const pair& each : pairs) {
    for (pair_memory* const memory : {&short_strips_, &one_strip_})
      EXPECT_EQ(align_pair(each.query, each.subject, each.scores, each.gaps, *memory).score, each.expected)
          << each.gaps.text();
  }
}

// The first of two alignments with the same score counts.
TEST(align_pair, says_where_in_the_subject_an_alignment_ends) {
  std::mt19937 random(37);
  const score_matrix scores = score_matrix::named("BLOSUM62");
  const auto query = random_residues(random, 100);
  std::vector<residue> subject(1'000, alphabet::protein().unknown());
  for (const std::ptrdiff_t at : {500, 800}) std::ranges::copy(query, subject.begin() + at);
  pair_memory memory(segments);
  const pair_score found = align_pair(query, subject, scores, {11, 1}, memory);
  EXPECT_EQ(found.ends_after, 512u);
  EXPECT_EQ(found.ends_by, 640u);
  EXPECT_EQ(found.score, reference_score(query, query, scores, {11, 1}));
  EXPECT_EQ(align_pair(subject, query, scores, {11, 1}, memory).ends_by, query.size());
}

// Includes scores that a kernel can't hold, and any content of the other lanes.
TEST(all_kernels, find_the_same) {
  std::mt19937 random(29);
  const score_matrix scores = score_matrix::named("BLOSUM62");
  kernel_memory memory;
  for (const gap_costs gaps : {gap_costs{11, 1}, {5, 2}, {0, 0}}) {
    for (int round = 0; round != 3; ++round) {
      const auto query = random_residues(random, 1 + random() % 120, 27);
      std::vector<std::vector<residue>> subjects;
      for (std::size_t i = 0; i != lanes; ++i) {
        subjects.push_back(i % 3 != 0 ? mutated(random, query, 3 + random() % 30)
                                      : random_residues(random, random() % 120, 27));
      }
      const subject_batch batch(subjects);
      std::ranges::reverse(subjects);
      const subject_batch other_way_round(subjects);
      for (const width bits : all_widths) {
        const auto found = align(bits, query, batch.view(), scores, gaps, memory);
        for (const std::int64_t target : targets()) {
          hwy::SetSupportedTargetsForTest(target);
          EXPECT_EQ(align(bits, query, batch.view(), scores, gaps, memory), found);
          auto same = align(bits, query, other_way_round.view(), scores, gaps, memory);
          std::ranges::reverse(same);
          EXPECT_EQ(same, found);
          hwy::SetSupportedTargetsForTest(0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace swsearch
