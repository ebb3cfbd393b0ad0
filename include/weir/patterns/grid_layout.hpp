// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace weir {

/// How the halo cells around a grid are filled. The examples show a row a b c d.
enum class boundary {
  fixed,      ///< the values that were stored there
  periodic,   ///< the cells of the opposite end: c d | a b c d | a b
  clamped,    ///< the nearest cell of the grid: a a | a b c d | d d
  reflected,  ///< the cells mirrored at the last one: c b | a b c d | c b
};

/// A boundary policy for each dimension.
template <std::size_t N>
class boundaries {
 public:
  constexpr boundaries(boundary all) noexcept { each_.fill(all); }  // NOLINT(google-explicit-constructor)
  template <std::same_as<boundary>... Each>
    requires(N > 1 && sizeof...(Each) == N)
  constexpr boundaries(Each... each) noexcept : each_{each...} {}  // NOLINT(google-explicit-constructor)

  constexpr boundary operator[](std::size_t dimension) const noexcept { return each_[dimension]; }
  constexpr bool any(boundary which) const noexcept {
    return std::find(each_.begin(), each_.end(), which) != each_.end();
  }
  friend constexpr bool operator==(const boundaries&, const boundaries&) noexcept = default;

 private:
  std::array<boundary, N> each_{};
};

namespace detail {

template <class T, std::size_t N, class Step, class Reduction>
class stencil_loop;

// Returns the index of the cell whose value the halo cell with index `at` takes. `at` is below 0 or
// not below `extent`; `extent` is not 0.
constexpr std::ptrdiff_t halo_source(std::ptrdiff_t at, std::ptrdiff_t extent, boundary how) noexcept {
  const auto modulo = [](std::ptrdiff_t a, std::ptrdiff_t b) { return a % b < 0 ? a % b + b : a % b; };
  switch (how) {
    case boundary::periodic: return modulo(at, extent);
    case boundary::clamped: return at < 0 ? 0 : extent - 1;
    case boundary::reflected: {
      if (extent == 1) return 0;
      const std::ptrdiff_t turns = modulo(at, 2 * (extent - 1));
      return std::min(turns, 2 * (extent - 1) - turns);
    }
    case boundary::fixed: break;
  }
  return at;
}

// The memory layout of a grid and its halo. A row is a line of cells along the last dimension. The
// rows of a grid are numbered in row-major order.
template <std::size_t N>
class grid_layout {
 public:
  using index = std::array<std::ptrdiff_t, N>;

  grid_layout(const std::array<std::size_t, N>& extents, std::size_t halo, const boundaries<N>& boundary,
              std::size_t cell_bytes)
      : extents_(extents), halo_(halo), boundary_(boundary) {
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max();
    std::size_t padded = 1;
    for (std::size_t d = N; d-- != 0;) {
      strides_[d] = static_cast<std::ptrdiff_t>(padded);
      if (halo > most / 2 || extents[d] > most - 2 * halo ||
          padded > most / cell_bytes / std::max<std::size_t>(extents[d] + 2 * halo, 1)) {
        throw std::invalid_argument(
            "weir: a grid of this many cells has no room in memory; make an extent or the halo smaller");
      }
      padded *= extents[d] + 2 * halo;
    }
    padded_size_ = padded;
    for (std::size_t d = 0; d != N; ++d) origin_ += static_cast<std::ptrdiff_t>(halo) * strides_[d];
  }

  const std::array<std::size_t, N>& extents() const noexcept { return extents_; }
  std::size_t halo() const noexcept { return halo_; }
  const boundaries<N>& boundary() const noexcept { return boundary_; }
  const index& strides() const noexcept { return strides_; }
  std::size_t padded_size() const noexcept { return padded_size_; }
  std::size_t size() const noexcept { return rows() * extents_[N - 1]; }
  std::size_t rows() const noexcept {
    std::size_t count = 1;
    for (std::size_t d = 0; d + 1 != N; ++d) count *= extents_[d];
    return count;
  }

  std::size_t offset(const index& at) const noexcept {
    std::ptrdiff_t sum = origin_;
    for (std::size_t d = 0; d != N; ++d) sum += at[d] * strides_[d];
    return static_cast<std::size_t>(sum);
  }

  void check(const index& at) const {
    const auto reach = static_cast<std::ptrdiff_t>(halo_);
    for (std::size_t d = 0; d != N; ++d) {
      if (at[d] < -reach || at[d] >= static_cast<std::ptrdiff_t>(extents_[d]) + reach) {
        throw std::out_of_range(
            "weir: a cell outside a grid and its halo was asked for; keep to the extents or widen the halo");
      }
    }
  }

  /// Returns the first cell of a row.
  index row(std::size_t number) const noexcept {
    index at{};
    for (std::size_t d = N - 1; d-- != 0;) {
      at[d] = static_cast<std::ptrdiff_t>(number % extents_[d]);
      number /= extents_[d];
    }
    return at;
  }
  /// Moves from a cell of one row to the first cell of the next row.
  void next_row(index& at) const noexcept {
    at[N - 1] = 0;
    for (std::size_t d = N - 1; d-- != 0;) {
      if (++at[d] != static_cast<std::ptrdiff_t>(extents_[d])) return;
      at[d] = 0;
    }
  }
  /// Calls `f` for each row with the offset of its first cell.
  template <class F>
  void for_each_row(F&& f) const {
    index at{};
    for (std::size_t left = rows(); left != 0; --left) {
      f(offset(at));
      next_row(at);
    }
  }

  /// Fills the halo at both ends of a row from the cells of that row. `row` points to its first
  /// cell.
  template <class T>
  void fill_ends(T* row) const {
    if (boundary_[N - 1] == boundary::fixed) return;
    for_each_halo_index(N - 1, [&](std::ptrdiff_t at, std::ptrdiff_t from) { row[at] = row[from]; });
  }

  /// Fills the halo along the other dimensions, after the ends of the rows have been filled. For a
  /// halo cell that is outside several dimensions, the policy of the first of these dimensions is
  /// applied last.
  template <class T>
  void fill_sides(T* cells) const {
    for (std::size_t d = N - 1; d-- != 0;) {
      if (boundary_[d] == boundary::fixed) continue;
      std::size_t slabs = 1;
      for (std::size_t before = 0; before != d; ++before) slabs *= extents_[before];
      index at{};
      for (std::size_t after = d + 1; after != N; ++after) at[after] = -static_cast<std::ptrdiff_t>(halo_);
      for (; slabs != 0; --slabs) {
        T* const slab = cells + offset(at);
        for_each_halo_index(d, [&](std::ptrdiff_t to, std::ptrdiff_t from) {
          std::copy_n(slab + from * strides_[d], strides_[d], slab + to * strides_[d]);
        });
        for (std::size_t before = d; before-- != 0;) {
          if (++at[before] != static_cast<std::ptrdiff_t>(extents_[before])) break;
          at[before] = 0;
        }
      }
    }
  }

 private:
  template <class F>
  void for_each_halo_index(std::size_t dimension, F&& f) const {
    const auto extent = static_cast<std::ptrdiff_t>(extents_[dimension]);
    for (std::ptrdiff_t away = 1; away <= static_cast<std::ptrdiff_t>(halo_); ++away) {
      f(-away, halo_source(-away, extent, boundary_[dimension]));
      f(extent - 1 + away, halo_source(extent - 1 + away, extent, boundary_[dimension]));
    }
  }

  std::array<std::size_t, N> extents_;
  std::size_t halo_;
  boundaries<N> boundary_;
  index strides_{};
  std::ptrdiff_t origin_ = 0;  // the offset of the cell 0, 0, …
  std::size_t padded_size_ = 0;
};

}  // namespace detail
}  // namespace weir
