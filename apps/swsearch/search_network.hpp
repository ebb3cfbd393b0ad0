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

/// What a search is told.
struct search_setup {
  std::string queries;   ///< a FASTA file; "-" is standard input
  std::string database;  ///< likewise, or an index: see `is_index`
  const alphabet* letters;
  bool is_strict = false;      ///< letters that are no residues are errors
  bool masks_queries = false;  ///< parts of low complexity are taken for unknown residues
  score_matrix scores;
  gap_costs gaps;
  bool plus = true;                                               ///< which strands of the query are searched for
  bool minus = false;                                             ///< likewise
  std::int64_t least_score = 1;                                   ///< hits below that are left out
  std::size_t most = 0;                                           ///< hits of a query; 0: all
  double most_e_value = std::numeric_limits<double>::infinity();  ///< of these
  bool in_database_order = false;                                 ///< else the best come first:
  bool by_e_value = false;                                        ///< if there are e-values; else by score
  hit_format format;
  std::optional<significance> chance;                 ///< if the format, the order or `most_e_value` needs it
  std::optional<composition_correction> composition;  ///< if e-values are corrected for it
  std::size_t workers = 0;                            ///< in each share; 0: one a core
  std::size_t shares = 1;                             ///< of the database, each of which can be in a group of its own
};

/// An index has the name that `swsearch index` gives it.
inline bool is_index(std::string_view file) { return file.ends_with(".swdb"); }

/// How far a search in this process is. Any thread may look.
struct search_progress {
  std::atomic<std::uint64_t> query_residues = 0;     ///< that have been read
  std::atomic<bool> all_queries = false;             ///< have been
  std::atomic<std::uint64_t> database_residues = 0;  ///< once all of it has been read
  std::atomic<std::uint64_t> cells_done = 0;
  std::atomic<std::uint64_t> query_bases = 0;  ///< of the queries' residues those that are letters of bases: ACGTUN
  /// In the database and the queries.
  std::atomic<std::uint64_t> letters_replaced = 0, digits_left_out = 0, names_missing = 0;

  void doubt(const fasta_doubts& of) {
    letters_replaced += of.unknown;
    digits_left_out += of.digits;
    names_missing += of.unnamed;
  }
};

/// What has been printed.
struct search_totals {
  std::uint64_t queries = 0;
  std::uint64_t query_residues = 0;
  std::uint64_t hits = 0;
  std::uint64_t sequences = 0;  ///< of the database
  std::uint64_t residues = 0;   ///< likewise
};

/// A network that searches. In each share of the database:
///
///     plan -> score, a farm -> gather -> score_again, a farm -> rank -> align, a farm
///
/// Before the shares stand the readers of queries and of a FASTA database, which they share out by
/// sequences (an index: by batches, and each share maps it itself); behind them `write`, which puts
/// the hits of all together. A task of `score` is a query, or several small ones, against some
/// batches, and the tasks of the next query follow those of the one before, so that no core waits
/// for the end of a query (F1 §3.2). What is printed depends neither on the number of workers nor
/// on that of shares.
/// @param setup, progress, totals outlive it @param take gets the text, query by query
weir::network search_network(const search_setup& setup, search_progress& progress, search_totals& totals,
                             std::function<void(std::string_view)> take);

}  // namespace swsearch
