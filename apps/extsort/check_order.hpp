// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"

namespace extsort {

/// Checks whether the input is sorted already, as `sort -c` and `sort -C` do.
/// @return the exit code: 0, or 1 if it is not
/// @throws std::exception if the check fails
int check_order(const sort_options& chosen);

}  // namespace extsort
