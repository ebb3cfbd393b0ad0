// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "composition.hpp"
#include "search.hpp"
#include "search_network.hpp"

#include <vector>

namespace swsearch {

/// Computes the e-values of one query's hits. For one thread.
class hit_rating {
 public:
  /// @param setup with `chance`; all three parameters outlive this object
  hit_rating(const search_setup& setup, const database& subjects, const sequence& query);

  /// Returns the score that the e-value and the score in bits of a hit are computed from: corrected
  /// for composition, if that is requested.
  double corrected_score(const hit& of) const;
  /// Returns how many sequences of the whole database are expected to reach the score. A lower
  /// score never has a lower e-value.
  double e_value(const hit& of, double score) const;

 private:
  const search_setup* setup_;
  const database* subjects_;
  const sequence* query_;
  residue_counts composition_;
};

/// Sets the e-values of hits whose scores are known. A hit that can't be among the best, or within
/// `most_e_value`, may get an e-value that is too low. But it is never so low that the hit comes
/// before one of the best.
void rate(std::vector<hit>& hits, const search_setup& setup, const database& subjects, const sequence& query);

/// Removes hits that can't be among those to be printed. Hits whose scores are `too_high` are kept.
void leave_out(std::vector<hit>& hits, const search_setup& setup);

}  // namespace swsearch
