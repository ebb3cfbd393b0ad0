// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/error.hpp"

#include <cstddef>
#include <string>

namespace weir::detail {

/// Largest number of items or bytes that a builder accepts. A larger number is a mistake, such as a
/// negative number.
inline constexpr std::size_t count_most = std::size_t{1} << 40;

/// Checks the argument of a builder. `what` names the builder, and `none` says what 0 would do.
/// @throws graph_error
inline void check_count(const std::string& path, const std::string& what, std::size_t count, const char* none) {
  const std::string call = what + "(" + std::to_string(count) + ")";
  if (count == 0) throw graph_error(path, call + " would " + none + "; use at least 1");
  if (count > count_most) throw graph_error(path, call + " is too much; use at most " + std::to_string(count_most));
}

}  // namespace weir::detail
