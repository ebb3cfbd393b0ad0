// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace swsearch {

std::int64_t reference_score(std::span<const residue> query, std::span<const residue> subject,
                             const score_matrix& scores, const gap_costs& gaps) {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min() / 2;
  const std::int64_t first = std::int64_t{gaps.open} + gaps.extend;
  std::vector<std::int64_t> row(subject.size() + 1, 0), down(subject.size() + 1, never);
  std::int64_t best = 0;
  for (const residue q : query) {
    std::int64_t diagonal = 0, right = never;
    for (std::size_t j = 1; j <= subject.size(); ++j) {
      right = std::max(right - gaps.extend, row[j - 1] - first);
      down[j] = std::max(down[j] - gaps.extend, row[j] - first);
      const std::int64_t here = std::max({std::int64_t{0}, diagonal + scores(q, subject[j - 1]), right, down[j]});
      diagonal = std::exchange(row[j], here);
      best = std::max(best, here);
    }
  }
  return best;
}

}  // namespace swsearch
