// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "residues.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace swsearch {

/// Whether two names of matrices are equal, in either case. @param known in capitals
bool same_letters(std::string_view known, std::string_view name);

/// The scores of all pairs of residues.
class score_matrix {
 public:
  /// Returns one of NCBI's matrices, such as "BLOSUM62", in either case.
  /// @throws std::invalid_argument that names the available matrices
  static score_matrix named(std::string_view name);
  /// Parses a matrix in NCBI's format: comments behind `#`, a line of letters, a row for each of
  /// them. Letters of the alphabet that the matrix lacks are scored as `alphabet::scored_as` says.
  /// @param name used in error messages @throws std::invalid_argument "name:line: what is wrong"
  static score_matrix parsed(std::string_view text, const alphabet& letters, const std::string& name);
  /// @param n score of a letter other than A, C, G, T against anything
  static score_matrix dna(int match, int mismatch, int n);

  static std::vector<std::string_view> names();
  static bool is_known(std::string_view name);

  int operator()(residue a, residue b) const noexcept { return scores_[a][b]; }
  const std::array<std::int8_t, codes>& row(residue a) const noexcept { return scores_[a]; }
  int least() const noexcept { return least_; }
  int most() const noexcept { return most_; }

 private:
  void set(residue a, residue b, int score);
  void find_limits(std::size_t letters);

  std::array<std::array<std::int8_t, codes>, codes> scores_{};
  int least_ = 0;
  int most_ = 0;
};

/// Costs of gaps. A gap of k residues costs `open + k * extend`, as in F1, SWIPE and BLAST. (Other
/// programs, such as parasail, define `open` as the cost of the first residue, which is `open +
/// extend` here.)
struct gap_costs {
  int open = 10;
  int extend = 2;

  /// Returns a text such as "a gap of k costs 10 + 2k".
  std::string text() const;
};

}  // namespace swsearch
