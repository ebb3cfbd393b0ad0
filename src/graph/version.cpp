// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/version.hpp"

namespace weir {

const char* library_version() noexcept { return version; }

}  // namespace weir
