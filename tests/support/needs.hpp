// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/parts.hpp"

#include <gtest/gtest.h>

// Skips the test in a build without the library, one of the members of build_parts.
#define WEIR_NEEDS(library)                                  \
  if (!weir::detail::parts_of_build().library) {             \
    GTEST_SKIP() << "this weir was built without " #library; \
  }
