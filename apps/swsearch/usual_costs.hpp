// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "significance.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace swsearch {

/// Costs that are in common use, with their significance as `fit_significance` computes it.
struct usual_costs {
  std::string_view matrix;  ///< name of a matrix; or "2 / -3": match and mismatch of DNA
  gap_costs gaps;
  bool is_default = true;  ///< the default of BLAST for this matrix
  significance chance;
};

std::span<const usual_costs> all_usual_costs();

/// Returns the default gap costs of a matrix; 11 + 1k if the matrix isn't known.
/// @param matrix in either case
gap_costs default_gaps(std::string_view matrix);
/// Returns the significance without a fit, if it is known.
std::optional<significance> known_significance(std::string_view matrix, const gap_costs& gaps);

}  // namespace swsearch
