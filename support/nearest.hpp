// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weir::support {

/// Returns the name that a mistyped word probably meant: the one that needs the fewest letters
/// inserted, left out, replaced, or swapped with their neighbour. Empty if none is near: at most
/// one such change in three letters.
std::string nearest(const std::string& word, const std::vector<std::string>& names);

}  // namespace weir::support
