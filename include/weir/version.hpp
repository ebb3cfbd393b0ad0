// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

// The version of weir. CMake reads the three numbers from here, so they stand nowhere else. While
// the major version is 0, a new minor version may change interfaces, and a new patch may not.
// CHANGELOG.md lists the changes of each version.

/// Parts of the version, for the preprocessor.
#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 2
#define WEIR_VERSION_PATCH 0

/// The version as one number that grows with every release: 10000 major + 100 minor + patch.
/// `#if WEIR_VERSION_NUMBER >= 200` is true from version 0.2.0 on.
#define WEIR_VERSION_NUMBER (WEIR_VERSION_MAJOR * 10000 + WEIR_VERSION_MINOR * 100 + WEIR_VERSION_PATCH)

#define WEIR_DETAIL_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define WEIR_DETAIL_TEXT(major, minor, patch) WEIR_DETAIL_TEXT_OF(major, minor, patch)

namespace weir {

/// The version of the headers that a file was compiled with, such as "0.2.0".
inline constexpr char version[] = WEIR_DETAIL_TEXT(WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR, WEIR_VERSION_PATCH);

/// Returns the version of the library that the program runs with. It differs from `version` if a
/// shared library of another version was found when the program started. The text lives as long as
/// the program. Any thread may call this at any time.
WEIR_API const char* library_version() noexcept;

}  // namespace weir

#undef WEIR_DETAIL_TEXT
#undef WEIR_DETAIL_TEXT_OF
