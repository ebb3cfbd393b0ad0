// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"
#include "fasta.hpp"
#include "scoring.hpp"
#include "search.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// The parts that the programs of this folder share. bench/swsearch/command.py runs them, and
/// compares their scores.
namespace sw_bench {

/// `--name VALUE` pairs; unknown options are refused.
class arguments {
 public:
  arguments(int argc, char** argv, std::initializer_list<std::pair<const std::string, std::string>> defaults)
      : values_(defaults) {
    for (int i = 1; i < argc; i += 2) {
      const std::string name = argv[i];
      const auto found = name.starts_with("--") ? values_.find(name.substr(2)) : values_.end();
      if (found == values_.end() || i + 1 == argc) {
        std::fprintf(stderr, "%s: what is %s?\n", argv[0], argv[i]);
        std::exit(2);
      }
      found->second = argv[i + 1];
    }
  }

  const std::string& operator[](const std::string& name) const { return values_.at(name); }
  std::int64_t number(const std::string& name) const { return std::stoll(values_.at(name)); }

 private:
  std::map<std::string, std::string> values_;
};

/// Reads the sequences of a plain file.
inline std::vector<swsearch::sequence> read_fasta(const std::string& file) {
  std::vector<swsearch::sequence> all;
  swsearch::fasta_parser parser(swsearch::alphabet::protein(), file, false,
                                [&](swsearch::sequence each) { all.push_back(std::move(each)); });
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("can't read " + file);
  std::vector<char> part(1 << 20);
  while (in.read(part.data(), static_cast<std::streamsize>(part.size())), in.gcount() != 0)
    parser.add({part.data(), static_cast<std::size_t>(in.gcount())});
  parser.end();
  return all;
}

/// NCBI's BLOSUM50, and gap costs in weir's convention: a gap of k residues costs `--gap-open` + k
/// x `--gap-extend`.
struct scheme {
  explicit scheme(const arguments& given)
      : scores(swsearch::score_matrix::named("BLOSUM50")),
        gaps{static_cast<int>(given.number("gap-open")), static_cast<int>(given.number("gap-extend"))} {}

  swsearch::score_matrix scores;
  swsearch::gap_costs gaps;
};

inline std::int64_t residues_in(const std::vector<swsearch::sequence>& all) {
  std::int64_t sum = 0;
  for (const auto& each : all) sum += static_cast<std::int64_t>(each.residues.size());
  return sum;
}

/// Writes a line for each score, in the order of the database.
/// @param file empty: nothing is written
inline void write_scores(const std::string& file, const std::vector<std::int64_t>& scores) {
  if (file.empty()) return;
  std::string text;
  for (const std::int64_t each : scores) text += std::to_string(each) + '\n';
  std::ofstream out(file, std::ios::binary);
  if (!(out << text << std::flush)) throw std::runtime_error("can't write " + file);
}

/// Prints hits in the same way as `swsearch --columns qseqid,sseqid,score`.
inline void print_hits(const std::string& query, const swsearch::database& subjects,
                       const std::vector<swsearch::hit>& hits) {
  std::string text;
  for (const swsearch::hit& each : hits)
    text += query + '\t' + std::string(subjects.name(each.number)) + '\t' + std::to_string(each.score) + '\n';
  std::fputs(text.c_str(), stdout);
}

/// The main part of these programs: aligns a query with all sequences of a database, one after the
/// other on one thread; measures the computation alone.
/// @param score `score(query, subjects)` returns their scores
template <class Score>
int compare_all(const char* contender, const arguments& given, Score&& score) {
  const auto query = read_fasta(given["query"]).at(0).residues;
  const auto subjects = read_fasta(given["database"]);
  const weir_bench::stopwatch clock;
  const std::vector<std::int64_t> scores = score(query, subjects);
  const auto took = clock.elapsed();
  write_scores(given["scores"], scores);
  weir_bench::print_result("swsearch", contender, static_cast<std::int64_t>(query.size()) * residues_in(subjects),
                           took);
  return 0;
}

}  // namespace sw_bench
