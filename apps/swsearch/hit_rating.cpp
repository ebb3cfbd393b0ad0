// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "hit_rating.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>

namespace swsearch {

hit_rating::hit_rating(const search_setup& setup, const database& subjects, const sequence& query)
    : setup_(&setup), subjects_(&subjects), query_(&query), composition_(counts_of(query.residues, *setup.letters)) {}

double hit_rating::corrected_score(const hit& of) const {
  const auto score = static_cast<double>(of.score);
  if (!setup_->composition || of.score <= 0) return score;
  const residue_counts subject = counts_of(subjects_->residues_of(of.batch, of.lane), *setup_->letters);
  return score * setup_->composition->factor(composition_, subject);
}

double hit_rating::e_value(const hit& of, double score) const {
  const database_size& whole = subjects_->whole();
  if (score <= 0) return static_cast<double>(whole.sequences);  // all sequences do as well
  const double strands = setup_->plus && setup_->minus ? 2 : 1;
  return strands *
         setup_->chance->e_value(score, query_->residues.size(), subjects_->length(of.number), whole.residues);
}

void rate(std::vector<hit>& hits, const search_setup& setup, const database& subjects, const sequence& query) {
  if (!setup.by_e_value || !setup.chance) return;
  const hit_rating rating(setup, subjects, query);
  std::vector<hit*> left;
  for (hit& each : hits) {
    if (each.score == too_high || each.score < setup.least_score) continue;
    each.e_value = rating.e_value(each, static_cast<double>(each.score));
    left.push_back(&each);
  }
  if (!setup.composition) return;
  // A correction never lowers an e-value. Once enough hits are rated, a hit whose uncorrected
  // e-value is worse than theirs can't be among the best.
  const auto is_worse = [](const hit* a, const hit* b) { return *b < *a; };
  std::priority_queue<double> best;
  std::ranges::make_heap(left, is_worse);
  for (; !left.empty(); left.pop_back()) {
    std::ranges::pop_heap(left, is_worse);
    hit& next = *left.back();
    const bool are_enough = setup.most != 0 && best.size() == setup.most;
    if (next.e_value > setup.most_e_value || (are_enough && next.e_value > best.top())) break;
    next.e_value = rating.e_value(next, rating.corrected_score(next));
    best.push(next.e_value);
    if (are_enough) best.pop();
  }
}

void leave_out(std::vector<hit>& hits, const search_setup& setup) {
  std::erase_if(hits, [&](const hit& each) { return each.score != too_high && each.score < setup.least_score; });
  if (setup.most == 0) return;
  const auto known = std::ranges::partition(hits, [](const hit& each) { return each.score == too_high; });
  if (known.size() <= setup.most) return;
  const auto end = known.begin() + static_cast<std::ptrdiff_t>(setup.most);
  std::ranges::nth_element(known.begin(), end, known.end(), std::less{});
  hits.erase(end, hits.end());
}

}  // namespace swsearch
