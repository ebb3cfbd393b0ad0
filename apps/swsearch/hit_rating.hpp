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
  /// @param setup with `chance`; all three outlive it
  hit_rating(const search_setup& setup, const database& subjects, const sequence& query);

  /// The score of a hit as its e-value and its score in bits count it: corrected for composition,
  /// if that is wanted.
  double corrected_score(const hit& of) const;
  /// How many sequences of the whole database are expected to have such a score. A lower score has
  /// no lower e-value.
  double e_value(const hit& of, double score) const;

 private:
  const search_setup* setup_;
  const database* subjects_;
  const sequence* query_;
  residue_counts composition_;
};

/// Gives hits whose scores are known what they are compared by. Of those that can't be among the
/// best of these, or within `most_e_value`, it may be too low, but not so low that they come before
/// one that is.
void rate(std::vector<hit>& hits, const search_setup& setup, const database& subjects, const sequence& query);

/// Leaves out hits that can't be among those to be printed. Scores that are too high are kept.
void leave_out(std::vector<hit>& hits, const search_setup& setup);

}  // namespace swsearch
