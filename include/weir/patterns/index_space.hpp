// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>

namespace weir {

/// The points of a grid of N dimensions, in row-major order: the last coordinate varies fastest.
/// Coordinates count from 0. A value type.
template <std::size_t N>
  requires(N > 0)
class index_space {
 public:
  /// @throws std::invalid_argument if an extent is negative, or the number of points does not fit a
  /// std::size_t
  template <std::convertible_to<std::size_t>... Extent>
    requires(sizeof...(Extent) == N)
  constexpr explicit index_space(Extent... extent) : extent_{static_cast<std::size_t>(extent)...} {
    bool fits = !(is_negative(extent) || ...);
    std::size_t points = is_empty() ? 0 : 1;
    for (const std::size_t each : extent_) {
      fits = fits && (each == 0 || points <= std::numeric_limits<std::size_t>::max() / each);
      points *= each;
    }
    if (!fits) {
      throw std::invalid_argument(
          "weir: an index_space has a negative extent, or more points than a std::size_t counts; make it smaller");
    }
  }

  constexpr std::size_t extent(std::size_t dimension) const noexcept { return extent_[dimension]; }
  constexpr std::size_t size() const noexcept {
    return std::accumulate(extent_.begin(), extent_.end(), std::size_t{1}, std::multiplies<>{});
  }

  /// Calls `f(i, j, …)` for the points with the numbers begin, …, end - 1 in row-major order.
  template <class F>
  void for_each(std::size_t begin, std::size_t end, F&& f) const {
    if (begin == end) return;
    std::array<std::size_t, N> at = point(begin);
    while (begin != end) {
      const std::size_t row = std::min(end - begin, extent_[N - 1] - at[N - 1]);
      along<0>(at, at[N - 1] + row, f);
      begin += row;
      at[N - 1] = 0;
      for (std::size_t d = N - 1; d-- != 0;) {
        if (++at[d] != extent_[d]) break;
        at[d] = 0;
      }
    }
  }

 private:
  constexpr bool is_empty() const noexcept {
    return std::any_of(extent_.begin(), extent_.end(), [](std::size_t each) { return each == 0; });
  }

  template <class Extent>
  static constexpr bool is_negative(const Extent& extent) {
    if constexpr (std::is_signed_v<Extent>) {
      return extent < 0;
    } else {
      return false;
    }
  }

  constexpr std::array<std::size_t, N> point(std::size_t index) const noexcept {
    std::array<std::size_t, N> at{};
    for (std::size_t d = N; d-- != 0;) {
      at[d] = index % extent_[d];
      index /= extent_[d];
    }
    return at;
  }

  // Calls `f` for the points of one row, from `at` up to, but not including, the last coordinate
  // `last`.
  template <std::size_t D, class F, class... Before>
  static void along(const std::array<std::size_t, N>& at, std::size_t last, F& f, Before... before) {
    if constexpr (D + 1 == N) {
      for (std::size_t i = at[D]; i != last; ++i) f(before..., i);
    } else {
      along<D + 1>(at, last, f, before..., at[D]);
    }
  }

  std::array<std::size_t, N> extent_;
};

template <class... Extent>
index_space(Extent...) -> index_space<sizeof...(Extent)>;

}  // namespace weir
