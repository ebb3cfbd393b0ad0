// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sort_means.hpp"

namespace extsort {

/// Reads the output on the disk, and checks it. If records were left out, their sum is not known;
/// then only the order and the number of records are checked. By all groups.
void verify_output(sort_means& with);

}  // namespace extsort
