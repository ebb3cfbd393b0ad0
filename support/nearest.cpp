// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/nearest.hpp"

#include <algorithm>
#include <cstddef>

namespace weir::support {
namespace {

// The distance of Damerau and Levenshtein, in which swapped letters are not changed again. Three
// rows of its table are kept.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = above;
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + differs});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  std::size_t least = letters / 3 + 1;
  std::string best;
  for (const std::string& each : names) {
    if (letters < 2 || each.size() < 3) continue;  // one letter is near to all others
    if (const std::size_t far = distance(word, each); far < least) {
      least = far;
      best = each;
    }
  }
  return best;
}

}  // namespace weir::support
