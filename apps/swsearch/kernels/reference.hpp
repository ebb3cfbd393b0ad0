// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scoring.hpp"

#include <cstdint>
#include <span>

namespace swsearch {

/// The score of the best local alignment of two sequences with affine gaps, cell by cell (Gotoh
/// 1982); an insertion may stand next to a deletion. What the kernels must find, too. Exact up to
/// 2^62.
std::int64_t reference_score(std::span<const residue> query, std::span<const residue> subject,
                             const score_matrix& scores, const gap_costs& gaps);

}  // namespace swsearch
