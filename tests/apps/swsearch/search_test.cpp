// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

#include "database_file.hpp"
#include "reference.hpp"
#include "search_network.hpp"
#include "sequences.hpp"
#include "temporary_folder.hpp"
#include "traceback.hpp"
#include "usual_costs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace swsearch {
namespace {

TEST(database, keeps_all_sequences_the_longest_first) {
  std::mt19937 random(5);
  std::vector<std::vector<residue>> all;
  for (int i = 0; i != 150; ++i) all.push_back(random_residues(random, random() % 40));
  const database made = database_of(all);
  EXPECT_EQ(made.size(), 150u);
  ASSERT_EQ(made.batches(), 3u);
  std::vector<bool> seen(all.size());
  std::size_t before = 1000, sum = 0;
  for (std::size_t batch = 0; batch != made.batches(); ++batch) {
    const auto members = made.members(batch);
    EXPECT_EQ(members.size(), batch == 2 ? 22u : lanes);
    const batch_view view = made.batch(batch);
    EXPECT_EQ(view.columns % columns_at_once, 0u);
    for (std::size_t lane = 0; lane != lanes; ++lane) {
      std::vector<residue> there;
      for (std::size_t i = 0; i != view.columns; ++i) there.push_back(view.residues[i * lanes + lane]);
      const std::vector<residue> expected = lane < members.size() ? all[members[lane]] : std::vector<residue>{};
      ASSERT_EQ(view.lengths[lane], expected.size());
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), there.begin()));
      EXPECT_EQ(std::count(there.begin() + static_cast<std::ptrdiff_t>(expected.size()), there.end(), padding),
                static_cast<std::ptrdiff_t>(there.size() - expected.size()));
      if (lane >= members.size()) continue;
      EXPECT_LE(expected.size(), before);
      before = expected.size();
      sum += expected.size();
      EXPECT_FALSE(seen[members[lane]]);
      seen[members[lane]] = true;
    }
  }
  EXPECT_EQ(made.whole().residues, sum);
  EXPECT_EQ(made.whole().sequences, all.size());
}

TEST(keep_best, prefers_high_scores_and_then_early_sequences) {
  const auto numbers = [](std::vector<hit> hits, std::size_t most) {
    keep_best(hits, most);
    std::vector<std::uint32_t> made;
    for (const hit& each : hits) made.push_back(each.number);
    return made;
  };
  const std::vector<hit> hits{{5, 3}, {7, 9}, {5, 1}, {6, 0}, {7, 2}};
  EXPECT_EQ(numbers(hits, 0), (std::vector<std::uint32_t>{2, 9, 0, 1, 3}));
  EXPECT_EQ(numbers(hits, 3), (std::vector<std::uint32_t>{2, 9, 0}));
}

// Some similar sequences, and one or two high scores.
struct example {
  std::mt19937 random{17};
  std::vector<sequence> queries;
  std::vector<std::vector<residue>> subjects;
  weir_test::temporary_folder folder;

  example(std::vector<sequence> of_queries, std::vector<std::vector<residue>> of_subjects)
      : queries(std::move(of_queries)), subjects(std::move(of_subjects)) {}
  example(const example&) = delete;
  example& operator=(const example&) = delete;
  explicit example(unsigned kinds = 20) {
    for (const std::size_t length : {0u, 1u, 30u, 200u, 900u}) {
      queries.push_back({"q" + std::to_string(length), "", random_residues(random, length, kinds)});
    }
    queries.push_back({"W", "", std::vector<residue>(2300, static_cast<residue>(kinds - 3))});  // W, or C of DNA
    for (int i = 0; i != 100; ++i) {
      const auto& like = queries[random() % queries.size()].residues;
      subjects.push_back(i % 2 == 0 && like.size() < 1000 ? mutated(random, like, 2 + random() % 40, kinds)
                                                          : random_residues(random, random() % 100, kinds));
    }
    subjects.emplace_back(2250, static_cast<residue>(kinds - 3));
  }

  std::string write(const std::string& name, const alphabet& letters, bool of_queries) const {
    const std::string file = folder.path() / name;
    std::ofstream out(file);
    if (of_queries) {
      for (const sequence& each : queries)
        out << '>' << each.name << '\n' << letters_of(each.residues, letters) << '\n';
    } else {
      for (std::size_t i = 0; i != subjects.size(); ++i)
        out << ">s" << i << '\n' << letters_of(subjects[i], letters) << '\n';
    }
    return file;
  }
};

search_setup setup_for(const std::string& queries, const std::string& database, const alphabet& letters,
                       const score_matrix& scores, const gap_costs& gaps, std::string_view columns) {
  return {.queries = queries,
          .database = database,
          .letters = &letters,
          .scores = scores,
          .gaps = gaps,
          .format = hit_format(hit_format::kind::tabular, columns, letters, scores),
          .chance = {},
          .composition = {}};
}

std::string found_by(const search_setup& setup) {
  search_progress progress;
  search_totals totals;
  std::string text;
  weir::run(search_network(setup, progress, totals, [&](std::string_view part) {
    text += part;
    return true;
  }));
  EXPECT_TRUE(progress.all_queries);
  EXPECT_EQ(progress.cells_done,
            progress.query_residues * progress.database_residues * (setup.plus && setup.minus ? 2 : 1));
  return text;
}

// Scores from 0 to more than 16 bits hold, and queries of all lengths; any division of the work
// gives the same result.
TEST(search_network, finds_what_the_reference_finds) {
  const example data;
  const score_matrix scores = score_matrix::named("BLOSUM50");
  const alphabet& letters = alphabet::protein();
  const std::string queries = data.write("queries.fa", letters, true);
  const std::string subjects = data.write("subjects.fa", letters, false);
  const std::string index = subjects + ".swdb";
  write_database(index, database_of(data.subjects), letters);  // other names
  for (const auto& [gaps, most, least] :
       {std::tuple<gap_costs, std::size_t, std::int64_t>{{10, 2}, 7, 1}, {{5, 2}, 0, 0}, {{2000, 5}, 3, 60}}) {
    std::string expected, of_index;
    for (const sequence& query : data.queries) {
      std::vector<hit> hits;
      for (std::uint32_t i = 0; i != data.subjects.size(); ++i) {
        const std::int64_t score = reference_score(query.residues, data.subjects[i], scores, gaps);
        if (score >= least) hits.push_back({score, i});
      }
      keep_best(hits, most);
      for (const hit& each : hits) {
        const std::string name = std::to_string(each.number), score = std::to_string(each.score) + "\n";
        expected += query.name + "\ts" + name + "\t" + score;
        of_index += query.name + "\t" + name + "\t" + score;
      }
    }
    for (const std::size_t workers : {1u, 3u}) {
      for (const std::size_t shares : {1u, 3u}) {
        search_setup setup = setup_for(queries, subjects, letters, scores, gaps, "qseqid sseqid score");
        setup.least_score = least;
        setup.most = most;
        setup.workers = workers;
        setup.shares = shares;
        EXPECT_EQ(found_by(setup), expected) << workers << " workers, " << shares << " shares";
        setup.database = index;
        EXPECT_EQ(found_by(setup), of_index) << workers << " workers, " << shares << " shares of an index";
      }
    }
  }
}

// Alignments that cross the borders of one or several pieces, or begin or end at a border; equal
// alignments; scores that overflow in a few pieces and in many; gap costs at which an alignment may
// be as long as the subject.
TEST(long_search_network, cuts_long_sequences) {
  std::mt19937 random(29);
  std::vector<std::vector<residue>> subjects{random_residues(random, 66'001), random_residues(random, 100'000)};
  for (int i = 0; i != 70; ++i) subjects.push_back(random_residues(random, 100));
  const std::size_t piece = 1'568;  // piece length of the second subject
  ASSERT_EQ(database_of(subjects).columns(0), piece);
  ASSERT_TRUE(database_of(subjects).is_cut(1));
  ASSERT_FALSE(database_of(subjects).is_cut(2));
  std::vector<sequence> queries;
  const auto plant = [&](std::vector<residue> what, std::initializer_list<std::size_t> places) {
    for (const std::size_t at : places) std::ranges::copy(what, subjects[1].begin() + static_cast<std::ptrdiff_t>(at));
    queries.push_back({"q" + std::to_string(queries.size()), "", std::move(what)});
  };
  plant(random_residues(random, 20), {10 * piece - 1, 40 * piece - 10});
  plant(random_residues(random, 30), {20 * piece - 30, 20 * piece});
  plant(random_residues(random, 200), {30 * piece - 199, 31 * piece - 100});
  plant(random_residues(random, 2'000), {11 * piece - 50});
  plant(std::vector<residue>(90, residues("W").front()), {3 * piece, 5 * piece - 45, 100'000 - 90});
  plant(random_residues(random, 40), {0});
  for (std::size_t i = 0; i != 20; ++i)
    subjects[1][30 * piece - 100 + i] = residues("X").front();             // a gap, or almost one
  for (std::size_t at = 50 * piece; at + 90 < 100'000; at += piece / 2) {  // in more pieces than are swept
    const std::vector<residue> some = mutated(random, queries[4].residues, 10);
    std::ranges::copy(std::span(some).first(std::min<std::size_t>(some.size(), 80)),
                      subjects[1].begin() + static_cast<std::ptrdiff_t>(at));
  }
  queries.push_back({"mutated", "", mutated(random, queries[3].residues, 30)});
  queries.push_back({"long", "", random_residues(random, 4'000)});
  std::ranges::copy(queries[1].residues, queries.back().residues.begin() + 700);
  const example data(queries, subjects);
  const score_matrix scores = score_matrix::named("BLOSUM62");
  const alphabet& letters = alphabet::protein();
  search_setup setup = setup_for(data.write("queries.fa", letters, true), data.write("subjects.fa", letters, false),
                                 letters, scores, {}, "qseqid sseqid score qstart qend sstart send cigar sseq");
  const std::string fasta = setup.database, index = fasta + ".swdb";
  write_database(index, database_of(subjects, "s"), letters);
  setup.most = 3;
  for (const gap_costs gaps : {gap_costs{10, 1}, gap_costs{30, 2}, gap_costs{12, 0}}) {
    if (is_slow && gaps.extend != 1) continue;
    setup.gaps = gaps;
    std::string expected;
    for (const sequence& query : queries) {
      std::vector<std::pair<hit, alignment>> hits;
      traceback_memory memory;
      for (std::uint32_t i = 0; i != subjects.size(); ++i) {
        alignment traced = align_traced(query.residues, subjects[i], scores, gaps, memory);
        hits.emplace_back(hit{traced.score, i}, std::move(traced));
      }
      std::ranges::sort(hits, std::less{}, &std::pair<hit, alignment>::first);
      for (const auto& [each, traced] : std::span(hits).first(3)) {
        std::vector<residue> aligned;
        std::size_t at = traced.subject_begin;
        std::string shown;
        for (const run& part : traced.runs) {
          if (part.kind == column_kind::query_only) {
            shown += std::string(part.length, '-');
            continue;
          }
          const auto from = subjects[each.number].begin() + static_cast<std::ptrdiff_t>(at);
          shown += letters_of({from, from + static_cast<std::ptrdiff_t>(part.length)});
          at += part.length;
        }
        expected += fmt::format("{}\ts{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", query.name, each.number, traced.score,
                                traced.query_begin + 1, traced.query_end, traced.subject_begin + 1, traced.subject_end,
                                cigar(traced), shown);
      }
    }
    setup.database = fasta;
    setup.shares = 1;
    EXPECT_EQ(found_by(setup), expected) << gaps.open << '+' << gaps.extend << 'k';
    setup.database = index;
    setup.shares = 3;
    EXPECT_EQ(found_by(setup), expected) << gaps.open << '+' << gaps.extend << "k, shares of an index";
  }
}

// Keeps the best hits by corrected e-value, whichever worker finds them; some subjects are
// corrected more than others.
TEST(search_network, keeps_the_best_of_corrected_e_values) {
  std::mt19937 random(41);
  const residue q = alphabet::protein().code_of('Q');
  std::vector<sequence> queries;
  for (int i = 0; i != 3; ++i) {
    std::vector<residue> query = random_residues(random, 150);
    for (residue& each : query) each = random() % 3 < 2 ? q : each;
    queries.push_back({"q" + std::to_string(i), "", query});
  }
  std::vector<std::vector<residue>> subjects;
  for (int i = 0; i != 400; ++i) {
    std::vector<residue> subject = random_residues(random, 50 + random() % 300);
    std::fill_n(subject.begin(), random() % 40, q);
    subjects.push_back(std::move(subject));
  }
  const example data(queries, subjects);
  const score_matrix scores = score_matrix::named("BLOSUM62");
  const alphabet& letters = alphabet::protein();
  search_setup setup = setup_for(data.write("queries.fa", letters, true), data.write("subjects.fa", letters, false),
                                 letters, scores, {11, 1}, "qseqid sseqid score evalue");
  setup.chance = known_significance("BLOSUM62", setup.gaps);
  setup.by_e_value = true;
  const std::string as_it_is = found_by(setup);
  setup.composition.emplace(scores, protein_frequencies());
  const std::string all = found_by(setup);
  EXPECT_NE(all, as_it_is);
  constexpr std::size_t most = 7;
  std::string expected, by_query;
  std::size_t lines = 0;
  for (std::size_t begin = 0, end; begin != all.size(); begin = end) {
    end = all.find('\n', begin) + 1;
    const std::string query = all.substr(begin, 2);
    lines = query == std::exchange(by_query, query) ? lines + 1 : 0;
    if (lines < most) expected += all.substr(begin, end - begin);
  }
  setup.most = most;
  for (const std::size_t shares : {1u, 3u}) {
    setup.shares = shares;
    EXPECT_EQ(found_by(setup), expected);
  }
}

TEST(search_network, searches_for_the_better_strand) {
  const example data(4);
  const score_matrix scores = score_matrix::dna(2, -3, -3);
  const alphabet& letters = alphabet::dna();
  search_setup setup = setup_for(data.write("queries.fna", letters, true), data.write("subjects.fna", letters, false),
                                 letters, scores, {5, 2}, "qseqid sseqid score sstrand");
  for (const auto& [plus, minus] : {std::pair{true, true}, {true, false}, {false, true}}) {
    setup.plus = plus;
    setup.minus = minus;
    std::string expected;
    for (const sequence& query : data.queries) {
      const std::vector<residue> other = reversed(query.residues, letters);
      std::vector<hit> hits;
      for (std::uint32_t i = 0; i != data.subjects.size(); ++i) {
        const std::int64_t forwards = plus ? reference_score(query.residues, data.subjects[i], scores, {5, 2}) : -1;
        const std::int64_t backwards = minus ? reference_score(other, data.subjects[i], scores, {5, 2}) : -1;
        hit better{.score = std::max(forwards, backwards), .number = i};
        better.is_reversed = backwards > forwards;
        if (better.score > 0) hits.push_back(better);
      }
      keep_best(hits, 0);
      for (const hit& each : hits) {
        expected += query.name + "\ts" + std::to_string(each.number) + "\t" + std::to_string(each.score) + "\t" +
                    (each.is_reversed ? "minus\n" : "plus\n");
      }
    }
    EXPECT_EQ(found_by(setup), expected) << plus << minus;
  }
}

TEST(search_network, prints_the_same_alignments_whoever_makes_them) {
  const example data;
  const score_matrix scores = score_matrix::named("BLOSUM62");
  const alphabet& letters = alphabet::protein();
  const std::string queries = data.write("queries.fa", letters, true);
  const std::string subjects = data.write("subjects.fa", letters, false);
  for (const auto kind : {hit_format::kind::tabular, hit_format::kind::sam, hit_format::kind::pairwise}) {
    search_setup setup = setup_for(queries, subjects, letters, scores, {11, 1}, "");
    setup.format = hit_format(kind, "", letters, scores);
    setup.chance = known_significance("BLOSUM62", {11, 1});
    setup.most = 5;
    setup.most_e_value = 1;
    setup.workers = 2;
    const std::string expected = found_by(setup);
    EXPECT_GT(expected.size(), 700u);
    for (const std::size_t shares : {7u}) {
      setup.shares = shares;
      EXPECT_EQ(found_by(setup), expected) << shares << " shares";
    }
  }
}

}  // namespace
}  // namespace swsearch
