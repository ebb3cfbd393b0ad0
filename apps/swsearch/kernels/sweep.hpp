// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "residues.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace swsearch {

/// Widths are multiples of this number.
inline constexpr std::size_t sweep_step = 16;

/// The costs of gaps, limited to `most`.
struct sweep_costs {
  std::int32_t first;   ///< cost of a gap's first residue
  std::int32_t extend;  ///< cost of each other residue
  std::int32_t most;    ///< higher than any score; at most 2^29 + 1
};

/// A rectangle of cells of a local alignment with affine gaps (Gotoh 1982): a row for each residue
/// of the subject, a column for each residue of the query. H is the best score up to a cell. "down"
/// and "right" are the best scores with a gap that continues into a cell from above or from the
/// left. All numbers up to 0 in them are equivalent.
struct sweep_task {
  std::span<const residue> subject;
  std::size_t width;           ///< a multiple of `sweep_step`
  const std::int8_t* profile;  ///< `width` scores for each code
  sweep_costs costs;
  std::int32_t* row;          ///< width + 1: H above, from the column before the first; afterwards H of the last row
  std::int32_t* other_row;    ///< width + 1, scratch
  std::int32_t* down;         ///< width: into the first row; afterwards out of the last
  const std::int32_t* left;   ///< for each row: H of the column before the first
  const std::int32_t* right;  ///< for each row: into the first column
  std::int32_t* last;         ///< for each row: H of the last column
  std::int32_t* right_out;    ///< for each row: out of the last column
};

/// The best cell of a rectangle. Among equal cells, it is in the first possible row, and there in
/// the first possible column.
struct sweep_best {
  std::int32_t score = 0;
  std::size_t row = 0;
  std::size_t column = 0;
};

/// Computes all cells, with the best instructions of this machine.
sweep_best sweep(const sweep_task& task);

}  // namespace swsearch
