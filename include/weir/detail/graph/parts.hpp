// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

namespace weir::detail {

/// The optional libraries with which this weir was built.
struct build_parts {
  bool hwloc;
  bool openssl;
  bool zlib;
  bool zstd;
};

WEIR_API build_parts parts_of_build() noexcept;

}  // namespace weir::detail
