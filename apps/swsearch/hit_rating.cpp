// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "hit_rating.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace swsearch {

double e_value_of(const search_setup& setup, std::int64_t score, std::size_t query_length, std::size_t subject_length,
                  const database_size& whole) {
  if (score == 0) return static_cast<double>(whole.sequences);  // all sequences do as well
  const double strands = setup.plus && setup.minus ? 2 : 1;
  return strands * setup.chance->e_value(score, query_length, subject_length, whole.residues);
}

void rate(std::vector<hit>& hits, const search_setup& setup, const database& subjects, const sequence& query) {
  if (!setup.by_e_value || !setup.chance) return;
  for (hit& each : hits) {
    if (each.score == too_high || each.score < setup.least_score) continue;
    each.e_value = e_value_of(setup, each.score, query.residues.size(), subjects.length(each.number), subjects.whole());
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
