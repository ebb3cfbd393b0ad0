// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scoring.hpp"

#include <cstdint>
#include <span>

namespace swsearch {

/// Returns the score of the best local alignment of two sequences with affine gaps, computed cell
/// by cell (Gotoh 1982). An insertion may stand next to a deletion. The kernels must compute the
/// same score. Exact up to 2^62.
std::int64_t reference_score(std::span<const residue> query, std::span<const residue> subject,
                             const score_matrix& scores, const gap_costs& gaps);

}  // namespace swsearch
