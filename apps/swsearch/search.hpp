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

/// What a sequence of the database has reached against a query.
struct hit {
  std::int64_t score = 0;
  std::uint32_t number = 0;  ///< of the sequence
  std::uint32_t batch = 0;   ///< where it is
  std::uint8_t lane = 0;     ///< likewise; if the batch is cut, the piece that `part_with` takes
  bool is_reversed = false;  ///< by the query's other strand
  double e_value = 0;        ///< if hits are in the order of that

  /// The better comes first: the lower e-value, the higher score, and of equal ones that which is
  /// first in the database.
  friend bool operator<(const hit& a, const hit& b) {
    if (a.e_value != b.e_value) return a.e_value < b.e_value;
    return a.score != b.score ? a.score > b.score : a.number < b.number;
  }
};

/// A score that is not known yet, but is more than a kernel can hold.
inline constexpr std::int64_t too_high = -1;

/// Scores queries against batches of a database. For one thread at a time.
class searcher {
 public:
  /// Both outlive it.
  searcher(const score_matrix& scores, const gap_costs& gaps) : scores_(&scores), gaps_(&gaps) {}

  /// What follows is of another query.
  void begin_query() noexcept { most_are_high_ = false; }
  /// With 8 bits; with 16 where the batch before says that most would be too high. What is cut is
  /// always exact.
  /// @return a hit for each sequence in the batches from `first` to before `last`, in their order,
  /// exact or `too_high`
  std::vector<hit> search(const database& subjects, std::span<const residue> query, std::size_t first,
                          std::size_t last);
  /// Finds the scores that are too high, with 16 bits, and with 32 what these can't hold. The more
  /// of them come at once, and the more alike in length those are that follow each other, the
  /// faster.
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

/// Some residues of a subject, which follow each other.
struct subject_part {
  std::size_t begin = 0;
  std::vector<residue> residues;
};

/// What the alignment of a hit that is known lies in: the whole subject, or a piece of it.
subject_part part_with(const database& subjects, std::span<const residue> query, const hit& known,
                       const score_matrix& scores, const gap_costs& gaps);

/// The query's other strand: its complement, from behind.
std::vector<residue> reversed(std::span<const residue> query, const alphabet& letters);

/// Keeps the best `most` in order. @param most 0: all
void keep_best(std::vector<hit>& hits, std::size_t most);

}  // namespace swsearch
