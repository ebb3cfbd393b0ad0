// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace weir::detail {
/// Same as `std::less<>`, whose header includes many others.
struct text_order {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const noexcept { return a < b; }
};

/// Widths of farms, by path, which replace those that the farms were written with.
using farm_widths = std::map<std::string, std::size_t, detail::text_order>;

/// Maximum number of workers of a farm. A larger number is a mistake, such as a negative number.
inline constexpr std::size_t farm_width_most = std::size_t{1} << 16;

/// Checks the width of a farm. `farm` names the farm in messages. @throws graph_error if no farm
/// may have this width
WEIR_API void check_width(const std::string& farm, std::size_t width);

}  // namespace weir::detail
