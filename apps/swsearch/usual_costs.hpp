// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "significance.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace swsearch {

/// Costs that many use, and what chance does to their scores, as `fit_significance` finds it.
struct usual_costs {
  std::string_view matrix;  ///< or "2 / -3": match and mismatch of DNA
  gap_costs gaps;
  bool is_default = true;  ///< for this matrix; BLAST's
  significance chance;
};

std::span<const usual_costs> all_usual_costs();

/// What gaps cost if nobody says; 11 + 1k for a matrix that isn't known.
/// @param matrix in either case
gap_costs default_gaps(std::string_view matrix);
/// Without a fit, where it is known.
std::optional<significance> known_significance(std::string_view matrix, const gap_costs& gaps);

}  // namespace swsearch
