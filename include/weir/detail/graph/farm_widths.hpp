// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace weir {
namespace detail {

/// As `std::less<>`, whose header brings much else.
struct text_order {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const noexcept { return a < b; }
};

}  // namespace detail

/// The widths that farms have instead of those they were written with, by path.
using farm_widths = std::map<std::string, std::size_t, detail::text_order>;

/// The most workers of a farm. More is a mistake, such as a negative number.
inline constexpr std::size_t farm_width_most = std::size_t{1} << 16;

/// Which farm it is, for a message. @throws graph_error if no farm may have this width
void check_width(const std::string& farm, std::size_t width);

}  // namespace weir
