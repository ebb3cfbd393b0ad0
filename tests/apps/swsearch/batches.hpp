// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace swsearch {

inline constexpr width all_widths[] = {width::bits_8, width::bits_16, width::bits_32};

/// Up to `lanes` subjects side by side, in the given order.
class subject_batch {
 public:
  explicit subject_batch(std::span<const std::vector<residue>> subjects) {
    for (std::size_t lane = 0; lane != subjects.size(); ++lane) {
      view_.lengths[lane] = static_cast<std::uint32_t>(subjects[lane].size());
      const std::size_t rest = subjects[lane].size() % columns_at_once;
      const std::size_t columns = subjects[lane].size() + (rest == 0 ? 0 : columns_at_once - rest);
      if (columns > view_.columns) view_.columns = columns;
    }
    columns_.resize(view_.columns);
    for (std::size_t i = 0; i != view_.columns; ++i) {
      for (std::size_t lane = 0; lane != lanes; ++lane)
        columns_[i].residues[lane] = i < view_.lengths[lane] ? subjects[lane][i] : padding;
    }
    if (!columns_.empty()) view_.residues = columns_.front().residues;
  }
  subject_batch(const subject_batch&) = delete;
  subject_batch& operator=(const subject_batch&) = delete;

  const batch_view& view() const { return view_; }

 private:
  struct alignas(lanes) column {
    residue residues[lanes];
  };
  std::vector<column> columns_;
  batch_view view_;
};

/// Random scores from `least` to `most` for every pair of letters; the matrix is not symmetric.
inline score_matrix random_matrix(std::mt19937& random, int least, int most) {
  const alphabet& all = alphabet::protein();
  std::string text;
  for (const char each : all.letters()) text += std::string(" ") + each;
  for (const char each : all.letters()) {
    text += std::string("\n") + each;
    for (std::size_t i = 0; i != all.letters().size(); ++i) {
      text += ' ' + std::to_string(least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)));
    }
  }
  return score_matrix::parsed(text, all, "random");
}

/// Scores `a` for A against A, `c` for C against C, and `other` for all other pairs.
inline score_matrix matrix_of_two(int a, int c, int other) {
  const std::string none = ' ' + std::to_string(other);
  return score_matrix::parsed("  A C X\nA " + std::to_string(a) + none + none + "\nC" + none + ' ' + std::to_string(c) +
                                  none + "\nX" + none + none + none + '\n',
                              alphabet::protein(), "two");
}

/// `a` times A, and then `c` times C. With `matrix_of_two`, the score against a longer sequence of
/// this kind is known.
inline std::vector<residue> two_runs(std::size_t a, std::size_t c) {
  std::vector<residue> made(a, alphabet::protein().code_of('A'));
  made.resize(a + c, alphabet::protein().code_of('C'));
  return made;
}

}  // namespace swsearch
