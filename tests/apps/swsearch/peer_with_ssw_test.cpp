// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "batches.hpp"
#include "fasta.hpp"
#include "sequences.hpp"

#include <gtest/gtest.h>
#include <ssw.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace swsearch {
namespace {

using sequences = std::vector<std::vector<residue>>;

// The largest score that SSW holds; it also returns this value for larger scores.
constexpr std::int64_t peer_most = 32'767;

// SSW (Zhao, Lee, Garrison, Marth 2013) with the same matrix. Its `open` is the cost of the first
// residue of a gap. If that cost is as low as `extend`, SSW loses long gaps in the subject: from
// one stretch of the query to the next it follows only gaps that score more than a new one.
class peer {
 public:
  peer(const std::vector<residue>& query, const score_matrix& scores) : query_(query) {
    for (residue a = 0; a != letters; ++a)
      scores_.insert(scores_.end(), scores.row(a).begin(), scores.row(a).begin() + letters);
    profile_.reset(ssw_init(as_peers(query_), static_cast<std::int32_t>(query_.size()), scores_.data(), letters, 2));
  }

  std::int64_t score(const std::vector<residue>& subject, const gap_costs& gaps) const {
    const std::unique_ptr<s_align, decltype(&align_destroy)> found(
        ssw_align(profile_.get(), as_peers(subject), static_cast<std::int32_t>(subject.size()),
                  static_cast<std::uint8_t>(gaps.open + gaps.extend), static_cast<std::uint8_t>(gaps.extend), 0, 0, 0,
                  15),
        &align_destroy);
    return found->score1;
  }

 private:
  static constexpr residue letters = 27;

  static const std::int8_t* as_peers(const std::vector<residue>& of) {
    return reinterpret_cast<const std::int8_t*>(of.data());
  }

  std::vector<residue> query_;
  std::vector<std::int8_t> scores_;
  std::unique_ptr<s_profile, decltype(&init_destroy)> profile_{nullptr, &init_destroy};
};

class beside_ssw : public testing::Test {
 protected:
  // Compares in every width. No sequence may be empty.
  void compare(const std::vector<residue>& query, std::span<const std::vector<residue>> subjects,
               const score_matrix& scores, const gap_costs& gaps) {
    const peer other(query, scores);
    for (std::size_t begin = 0; begin < subjects.size(); begin += lanes) {
      const auto present = subjects.subspan(begin, std::min(lanes, subjects.size() - begin));
      const subject_batch batch(present);
      std::vector<std::int64_t> expected;
      for (const auto& each : present) expected.push_back(other.score(each, gaps));
      for (const width bits : all_widths) {
        if (!can_use(bits, scores, gaps)) continue;
        const auto best = align(bits, query, batch.view(), scores, gaps, memory_);
        for (std::size_t lane = 0; lane != present.size(); ++lane) {
          if (best[lane] < 0) {
            EXPECT_GT(expected[lane], std::min(peer_most - 1, most_certain(bits, scores, gaps)));
          } else if (gaps.open == 0) {
            EXPECT_GE(best[lane], expected[lane]);
          } else {
            EXPECT_EQ(std::min(peer_most, best[lane]), expected[lane])
                << "width " << static_cast<int>(bits) << ", sequence " << begin + lane << ", " << gaps.text();
          }
        }
      }
    }
  }

  kernel_memory memory_;
};

TEST_F(beside_ssw, random_and_related_sequences_score_the_same) {
  std::mt19937 random(37);
  for (const char* const name : {"BLOSUM50", "BLOSUM62"}) {
    const score_matrix scores = score_matrix::named(name);
    for (const gap_costs gaps : {gap_costs{10, 2}, {5, 2}, {11, 1}, {1, 0}, {1, 1}, {1, 3}, {40, 10}, {200, 50}}) {
      for (int round = 0; round != 4; ++round) {
        const auto query = random_residues(random, 1 + random() % 300, 27);
        sequences subjects;
        for (std::size_t i = 0; i != lanes; ++i) {
          subjects.push_back(i % 2 == 0 ? mutated(random, query, 2 + random() % 30)
                                        : random_residues(random, 1 + random() % 300, 27));
          if (subjects.back().empty()) subjects.back() = query;
        }
        compare(query, subjects, scores, gaps);
      }
    }
  }
}

TEST_F(beside_ssw, nothing_scores_less_where_it_misses_gaps) {
  std::mt19937 random(41);
  const score_matrix scores = score_matrix::named("BLOSUM62");
  for (const gap_costs gaps : {gap_costs{0, 0}, {0, 1}, {0, 2}, {0, 4}, {0, 8}}) {
    const auto query = random_residues(random, 200);
    sequences subjects;
    for (std::size_t i = 0; i != lanes; ++i) subjects.push_back(mutated(random, query, 3 + random() % 10));
    compare(query, subjects, scores, gaps);
  }
}

// Two mismatches cost more than a gap in either sequence. SSW lacks one of the two orders of such
// gaps; the other order has the same score.
TEST_F(beside_ssw, insertions_next_to_deletions_score_the_same) {
  std::mt19937 random(43);
  const auto four = [&](std::vector<residue> of) {
    for (residue& each : of) each = static_cast<residue>(each % 4);
    return of;
  };
  for (const score_matrix& scores : {score_matrix::dna(5, -40, -40), score_matrix::named("BLOSUM62")}) {
    for (const gap_costs gaps : {gap_costs{1, 0}, {1, 1}, {2, 1}}) {
      for (const std::size_t length : {17u, 150u}) {
        const auto query = four(random_residues(random, length));
        sequences subjects;
        for (std::size_t i = 0; i != lanes; ++i) {
          subjects.push_back(query);
          for (std::size_t j = 1 + random() % 4; j < length; j += 2 + random() % 20)
            subjects.back()[j] = static_cast<residue>((subjects.back()[j] + 1) % 4);
        }
        compare(query, subjects, scores, gaps);
      }
    }
  }
}

TEST_F(beside_ssw, scores_around_every_limit_are_the_same) {
  const score_matrix low = matrix_of_two(11, 1, -5);
  for (const gap_costs gaps : {gap_costs{10, 2}, {5, 2}}) {
    sequences subjects;
    for (std::size_t score = 90; score != 270; ++score) subjects.push_back(two_runs(score / 11, score % 11));
    compare(two_runs(30, 12), subjects, low, gaps);
  }
  const score_matrix high = matrix_of_two(100, 1, -100);
  sequences subjects;
  for (std::size_t score = 32'740; score != 32'804; ++score) subjects.push_back(two_runs(score / 100, score % 100));
  compare(two_runs(330, 101), subjects, high, {10, 2});
}

struct pipe_closer {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

// Reads the proteins that Debian ships with MMseqs2.
sequences real_sequences(const std::filesystem::path& file) {
  sequences made;
  fasta_parser parser(alphabet::protein(), file.string(), false,
                      [&](sequence each) { made.push_back(std::move(each.residues)); });
  const std::unique_ptr<std::FILE, pipe_closer> input(popen(("gzip -dc " + file.string()).c_str(), "r"));
  char part[65'536];
  while (const std::size_t size = std::fread(part, 1, sizeof part, input.get())) parser.add({part, size});
  parser.end();
  return made;
}

TEST_F(beside_ssw, real_proteins_score_the_same) {
  const std::filesystem::path file = "/usr/share/doc/mmseqs2/example-data/DB.fasta.gz";
  if (!exists(file)) GTEST_SKIP() << "there is no " << file << " (package mmseqs2-examples)";
  const sequences all = real_sequences(file);
  ASSERT_EQ(all.size(), 20'000u);
  sequences subjects;
  for (std::size_t i = 0; i < all.size(); i += 160) subjects.push_back(all[i]);
  std::ranges::sort(subjects, {}, &std::vector<residue>::size);  // puts sequences of equal length beside each other
  for (std::size_t i = 6'000; i < all.size(); i += 6'000) {
    compare(all[i], subjects, score_matrix::named("BLOSUM50"), {10, 2});
    compare(all[i], subjects, score_matrix::named("BLOSUM62"), {11, 1});
  }
}

}  // namespace
}  // namespace swsearch
