// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search_network.hpp"
#include "support/network_options.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

namespace swsearch {

/// Options of `swsearch QUERY DATABASE`.
struct search_options {
  std::string queries, database;
  bool dna = false;
  std::string matrix = "BLOSUM62";
  int match = 2, mismatch = -3;
  std::optional<int> gap_open, gap_extend;
  std::string strand = "both";
  std::size_t workers = 0;
  std::size_t most = 10;
  std::int64_t least_score = 1;
  std::optional<double> most_e_value;
  std::string order;  ///< "score" or "evalue"; empty: depends on the output
  hit_format::kind format = hit_format::kind::tabular;
  std::string columns;
  bool masks_queries = false;
  bool ignores_composition = false;
  bool all_scores = false;
  std::optional<std::size_t> shares;
  bool is_strict = false;
  bool is_quiet = false;
  weir::support::report_options tells;
};

/// Options of `swsearch index DATABASE`.
struct index_options {
  std::string database;
  std::string output;
  bool dna = false;
  bool is_strict = false;
  bool is_quiet = false;
};

/// @return the options of the chosen command, or an exit code if the program has to end
std::variant<search_options, index_options, int> parse(int argc, char** argv, const char* version);

}  // namespace swsearch
