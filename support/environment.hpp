// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace weir::support {

/// A variable of the environment; null where it is not set, and in a program that has more rights
/// than whoever calls it.
inline const char* variable(const char* name) noexcept { return ::secure_getenv(name); }

}  // namespace weir::support
