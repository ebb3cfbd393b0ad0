// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace weir::support {

/// Returns an environment variable. Returns null if the variable is not set, or if the program has
/// more rights than its caller.
inline const char* variable(const char* name) noexcept { return ::secure_getenv(name); }

}  // namespace weir::support
