// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace weir::support {

/// Breaks a text at its blanks into lines of at most `columns`; only a longer word makes a longer
/// line.
std::string wrapped(const std::string& text, std::size_t columns);

}  // namespace weir::support
