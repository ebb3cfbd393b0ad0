// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"
#include "pair.hpp"
#include "scoring.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace swsearch {

/// The score that a sequence of the database reached against a query.
struct hit {
  std::int64_t score = 0;
  std::uint32_t number = 0;  ///< number of the sequence
  std::uint32_t batch = 0;   ///< batch of the sequence
  std::uint8_t lane = 0;     ///< its lane; if the batch is cut, the piece that `part_with` takes
  bool is_reversed = false;  ///< found with the query's other strand
  double e_value = 0;        ///< set if hits are ordered by it

  /// Orders better hits first: the lower e-value, then the higher score, then the lower number in
  /// the database.
  friend bool operator<(const hit& a, const hit& b) {
    if (a.e_value != b.e_value) return a.e_value < b.e_value;
    return a.score != b.score ? a.score > b.score : a.number < b.number;
  }
};

/// Stands for an unknown score that is higher than a kernel can hold.
inline constexpr std::int64_t too_high = -1;

/// Scores queries against batches of a database. For one thread at a time.
class searcher {
 public:
  /// Both parameters outlive this object.
  searcher(const score_matrix& scores, const gap_costs& gaps) : scores_(&scores), gaps_(&gaps) {}

  /// Announces that the next searches are for another query.
  void begin_query() noexcept { most_are_high_ = false; }
  /// Computes scores with 8 bits, or with 16 bits if the batch before suggests that most scores
  /// would be too high for 8. Scores of cut batches are always exact.
  /// @return a hit for each sequence in the batches from `first` to before `last`, in their order,
  /// exact or `too_high`
  std::vector<hit> search(const database& subjects, std::span<const residue> query, std::size_t first,
                          std::size_t last);
  /// Computes the scores that are `too_high`, with 16 bits, and with 32 bits if 16 are too few. The
  /// function is faster with more hits at once, and with neighbouring hits of similar length.
  void search_again(const database& subjects, std::span<const residue> query, std::span<hit> hits);

 private:
  void search_again(const database& subjects, width bits, std::span<const residue> query, std::span<hit> hits);
  pair_score search_pair(std::span<const residue> query, const std::vector<residue>& subject);
  hit search_cut(const database& subjects, std::span<const residue> query, std::size_t batch);

  const score_matrix* scores_;
  const gap_costs* gaps_;
  bool most_are_high_ = false;  // in the last batch
  kernel_memory memory_;
  kernel_memory gathered_;
  pair_memory pair_;
};

/// Consecutive residues of a subject.
struct subject_part {
  std::size_t begin = 0;
  std::vector<residue> residues;
};

/// Returns the part of the subject that contains the alignment of a known hit: the whole subject,
/// or a piece of it.
subject_part part_with(const database& subjects, std::span<const residue> query, const hit& known,
                       const score_matrix& scores, const gap_costs& gaps);

/// Returns the query's other strand: the complement in reverse order.
std::vector<residue> reversed(std::span<const residue> query, const alphabet& letters);

/// Keeps the best `most` hits, in order. @param most 0: all
void keep_best(std::vector<hit>& hits, std::size_t most);

}  // namespace swsearch
