// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sort_means.hpp"

namespace extsort {

/// Reads the output on the disk, and checks that it is what it should be. Records that were left
/// out are not known; then its order and number are all that is looked at. By all groups.
/// @throws wrong_output, std::system_error, interrupted
void verify_output(sort_means& with);

}  // namespace extsort
