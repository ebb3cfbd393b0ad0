// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/weir.hpp>

#include "composition.hpp"
#include "hit_format.hpp"
#include "residues.hpp"
#include "scoring.hpp"
#include "significance.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace swsearch {

/// The parameters of a search.
struct search_setup {
  std::string queries;   ///< a FASTA file; "-" is standard input
  std::string database;  ///< a FASTA file, "-", or an index: see `is_index`
  const alphabet* letters;
  bool is_strict = false;      ///< letters that are no residues are errors
  bool masks_queries = false;  ///< residues in parts of low complexity are replaced by the unknown residue
  score_matrix scores;
  gap_costs gaps;
  bool plus = true;                                               ///< whether this strand of the query is searched for
  bool minus = false;                                             ///< likewise
  std::int64_t least_score = 1;                                   ///< hits with a lower score are left out
  std::size_t most = 0;                                           ///< hits printed for each query; 0: all
  double most_e_value = std::numeric_limits<double>::infinity();  ///< highest e-value of these hits
  bool in_database_order = false;                                 ///< otherwise the best hits come first:
  bool by_e_value = false;                                        ///< by e-value, if there are e-values; else by score
  hit_format format;
  std::optional<significance> chance;                 ///< set if the format, the order or `most_e_value` needs it
  std::optional<composition_correction> composition;  ///< set if e-values are corrected for composition
  std::size_t workers = 0;                            ///< in each share; 0: one for each core
  std::size_t shares = 1;                             ///< shares of the database; each can be in a group of its own
};

/// Whether the file has the name of an index, as `swsearch index` makes it.
inline bool is_index(std::string_view file) { return file.ends_with(".swdb"); }

/// The progress of a search in this process. Any thread may read it.
struct search_progress {
  std::atomic<std::uint64_t> query_residues = 0;     ///< residues that have been read
  std::atomic<bool> all_queries = false;             ///< whether all queries have been read
  std::atomic<std::uint64_t> database_residues = 0;  ///< set once the whole database has been read
  std::atomic<std::uint64_t> cells_done = 0;
  std::atomic<std::uint64_t> query_bases = 0;  ///< query residues whose letters stand for bases: ACGTUN
  /// Counts for the database and the queries together.
  std::atomic<std::uint64_t> letters_replaced = 0, digits_left_out = 0, names_missing = 0;

  void doubt(const fasta_doubts& of) {
    letters_replaced += of.unknown;
    digits_left_out += of.digits;
    names_missing += of.unnamed;
  }
};

/// The totals of all that was printed.
struct search_totals {
  std::uint64_t queries = 0;
  std::uint64_t query_residues = 0;
  std::uint64_t hits = 0;
  std::uint64_t sequences = 0;  ///< in the database
  std::uint64_t residues = 0;   ///< in the database
};

/// Takes text to print. @return false: it is not printed, because the search is to stop
using take_text = std::function<bool(std::string_view)>;

/// Returns a network that searches. In each share of the database:
///
///     plan -> score, a farm -> gather -> score_again, a farm -> rank -> align, a farm
///
/// In front of the shares stand the readers of queries and of a FASTA database, which distribute
/// the database over the shares by sequences. An index is distributed by batches, and each share
/// maps it itself. Behind the shares stands `write`, which merges the hits of all shares. A task of
/// `score` is one query, or several small ones, against some batches. The tasks of a query directly
/// follow those of the query before, and therefore no core waits for the end of a query (F1 §3.2).
/// The output depends neither on the number of workers nor on the number of shares.
/// @param setup, progress, totals outlive the network @param take gets the text, query by query
weir::network search_network(const search_setup& setup, search_progress& progress, search_totals& totals,
                             take_text take);

}  // namespace swsearch
