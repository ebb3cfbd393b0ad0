// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/graph/parts.hpp"

namespace weir::detail {

// cmake/packages.cmake defines these names.
build_parts parts_of_build() noexcept {
  return {.hwloc = WEIR_HAS_HWLOC, .openssl = WEIR_HAS_OPENSSL, .zlib = WEIR_HAS_ZLIB, .zstd = WEIR_HAS_ZSTD};
}

}  // namespace weir::detail
