// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "alignment.hpp"
#include "fasta.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace swsearch {

/// All data of a hit that can be printed. Data that a format does not need may be missing.
struct hit_view {
  const sequence* query = nullptr;  ///< as it was read
  bool is_reversed = false;         ///< whether its other strand was aligned
  std::span<const residue> strand;  ///< the strand that was aligned
  std::string_view title;           ///< title of the subject
  std::size_t subject_length = 0;
  std::span<const residue> subject;  ///< the whole subject, or the aligned part
  std::size_t subject_begin = 0;     ///< where this part begins
  std::int64_t score = 0;
  double e_value = std::numeric_limits<double>::quiet_NaN();    ///< NaN: not known
  double bit_score = std::numeric_limits<double>::quiet_NaN();  ///< likewise
  alignment traced;
  alignment_counts counts;
};

/// Returns the first word of the text behind a `>`.
std::string_view first_word(std::string_view title);
/// Returns an e-value as it is printed.
std::string e_value_text(double value);

/// The format in which hits are printed. A value; any number of threads may read it.
class hit_format {
 public:
  enum class kind { tabular, csv, json_lines, sam, pairwise };

  /// @param columns of tabular, csv and json_lines, by BLAST's names, separated by commas or
  /// blanks; empty: BLAST's twelve
  /// @throws std::invalid_argument that names the available columns
  hit_format(kind as, std::string_view columns, const alphabet& letters, const score_matrix& scores);

  /// Returns the names of BLAST's twelve columns.
  static std::string_view usual_columns();
  /// Returns a line for each column: its name and its meaning.
  static std::string column_names();

  bool needs_alignment() const noexcept { return needs_ >= need::alignment; }
  bool needs_significance() const noexcept { return needs_significance_; }
  /// Whether the output begins with a line about each sequence of the database (SAM).
  bool lists_subjects() const noexcept { return kind_ == kind::sam; }

  /// Returns the text in front of all other output.
  std::string beginning() const;
  void add_subject(std::string& to, std::string_view name, std::size_t length) const;
  /// Appends the text in front of the hits of a query.
  void add_query(std::string& to, const sequence& query) const;
  void add_hit(std::string& to, const hit_view& hit) const;
  /// Changes the text from `add_hit` for a hit that is not the best one of its query.
  void make_another(std::string& text) const;
  /// Returns the text for a query without hits.
  std::string_view no_hits() const;

 private:
  enum class need { scores, alignment };
  struct column;
  static const std::vector<column>& all_columns();

  void add_pairwise(std::string& to, const hit_view& hit) const;
  void add_json(std::string& to, const hit_view& hit) const;

  kind kind_;
  const alphabet* letters_;
  score_matrix scores_;
  std::vector<const column*> columns_;
  need needs_ = need::scores;
  bool needs_significance_ = false;
};

}  // namespace swsearch
