// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"
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
  std::uint8_t lane = 0;     ///< likewise
  bool is_reversed = false;  ///< by the query's other strand

  /// The better comes first: the higher score, and of equal ones the sequence that comes first in the database.
  friend bool operator<(const hit& a, const hit& b) {
    return a.score != b.score ? a.score > b.score : a.number < b.number;
  }
};

/// Scores queries against batches of a database, exactly: with 8 bits, and again with 16 and 32 what these can't hold; with 16 at once where the batch before says that these are many.
/// For one thread at a time.
class searcher {
 public:
  /// Both outlive it.
  searcher(const score_matrix& scores, const gap_costs& gaps) : scores_(&scores), gaps_(&gaps) {}

  /// What follows is of another query.
  void begin_query() noexcept { most_are_high_ = false; }
  /// @return a hit for each sequence in the batches from `first` to before `last`, in their order
  std::vector<hit> search(const database& subjects, std::span<const residue> query, std::size_t first,
                          std::size_t last);

 private:
  void again(const database& subjects, width bits, std::span<const residue> query, std::vector<hit>& hits,
             std::vector<std::size_t> which);

  const score_matrix* scores_;
  const gap_costs* gaps_;
  bool most_are_high_ = false;  // in the last batch
  kernel_memory memory_;
  kernel_memory gathered_;
};

/// The query's other strand: its complement, from behind.
std::vector<residue> reversed(std::span<const residue> query, const alphabet& letters);

/// Keeps the best `most` in order. @param most 0: all
void keep_best(std::vector<hit>& hits, std::size_t most);

}  // namespace swsearch
