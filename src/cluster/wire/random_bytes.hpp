// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace weir::cluster {

/// Fills the bytes with random numbers for secrets, from the operating system.
/// @throws std::system_error
void fill_with_random(std::span<unsigned char> bytes);

}  // namespace weir::cluster
