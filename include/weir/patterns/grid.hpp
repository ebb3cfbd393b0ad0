// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/patterns/grid_layout.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace weir {

/// Options of a `grid`.
template <class T, std::size_t N>
struct grid_options {
  /// Initial value of every cell.
  T value = {};
  /// Initial value of the cells of the halo; they keep it where the boundary is fixed.
  T outside = {};
  /// Width of the halo: the number of cells around the grid in each direction. A stencil can read
  /// at most this far from a cell.
  std::size_t halo = 1;
  /// How the halo is filled: one policy for all dimensions, or one for each dimension.
  boundaries<N> boundary = weir::boundary::fixed;
};

/// A rectangular grid of cells in N dimensions with a halo of cells around it, for `stencil`.
///
///     weir::grid<double, 2> plate({480, 640}, {.value = 20, .outside = 0});
///     plate(0, 639) = 100;   // the last dimension varies fastest
///     plate(-1, 7) = 50;     // in the halo
///
/// All cells lie in one block of memory: the rows along the last dimension one after the other,
/// each between its halo cells. The halo is filled by the boundary policy when a stencil begins and
/// after each of its steps; where the policy is `fixed`, the halo keeps the values stored there. A
/// value type: a copy has its own cells. Threads may read at the same time, and write different
/// cells. An extent may be 0. After a stencil the grid keeps the memory of a second set of cells
/// for the next stencil.
template <class T, std::size_t N>
  requires(N > 0 && std::semiregular<T>)
class grid {
 public:
  using value_type = T;
  static constexpr std::size_t dimensions = N;

  /// @throws std::invalid_argument if the cells with the halo have more bytes than a std::ptrdiff_t
  /// counts; std::bad_alloc
  explicit grid(const std::array<std::size_t, N>& extents, const grid_options<T, N>& options = {})
      : layout_(extents, options.halo, options.boundary, sizeof(T)), cells_(room()) {
    std::fill_n(cells_.get(), layout_.padded_size(), options.outside);
    layout_.for_each_row([&](std::size_t at) { std::fill_n(cells_.get() + at, extent(N - 1), options.value); });
  }
  grid(const grid& other) : layout_(other.layout_), cells_(room()) {
    std::copy_n(other.cells_.get(), layout_.padded_size(), cells_.get());
  }
  /// A grid that was moved from may only be assigned to and destroyed.
  grid(grid&&) noexcept = default;
  grid& operator=(const grid& other) { return *this = grid(other); }
  grid& operator=(grid&&) noexcept = default;
  ~grid() = default;

  const std::array<std::size_t, N>& extents() const noexcept { return layout_.extents(); }
  std::size_t extent(std::size_t dimension) const noexcept { return layout_.extents()[dimension]; }
  /// Returns the number of cells, without the halo.
  std::size_t size() const noexcept { return layout_.size(); }
  std::size_t halo() const noexcept { return layout_.halo(); }
  const boundaries<N>& boundary() const noexcept { return layout_.boundary(); }

  /// Returns a cell. Each index is from -halo() to extent() + halo() - 1; it is not checked.
  template <std::convertible_to<std::ptrdiff_t>... Index>
    requires(sizeof...(Index) == N)
  T& operator()(Index... index) noexcept {
    return cells_[layout_.offset({static_cast<std::ptrdiff_t>(index)...})];
  }
  template <std::convertible_to<std::ptrdiff_t>... Index>
    requires(sizeof...(Index) == N)
  const T& operator()(Index... index) const noexcept {
    return cells_[layout_.offset({static_cast<std::ptrdiff_t>(index)...})];
  }

  /// As operator(), with a check of the indices. @throws std::out_of_range
  template <std::convertible_to<std::ptrdiff_t>... Index>
    requires(sizeof...(Index) == N)
  T& at(Index... index) {
    layout_.check({static_cast<std::ptrdiff_t>(index)...});
    return (*this)(index...);
  }
  template <std::convertible_to<std::ptrdiff_t>... Index>
    requires(sizeof...(Index) == N)
  const T& at(Index... index) const {
    layout_.check({static_cast<std::ptrdiff_t>(index)...});
    return (*this)(index...);
  }

  /// Returns the cells of one row along the last dimension, without its halo. The arguments are the
  /// indices in the other dimensions.
  template <std::convertible_to<std::ptrdiff_t>... Index>
    requires(sizeof...(Index) + 1 == N)
  std::span<T> row(Index... index) noexcept {
    return {&(*this)(index..., 0), extent(N - 1)};
  }
  template <std::convertible_to<std::ptrdiff_t>... Index>
    requires(sizeof...(Index) + 1 == N)
  std::span<const T> row(Index... index) const noexcept {
    return {&(*this)(index..., 0), extent(N - 1)};
  }

  /// Returns whether extents and cells are equal; the halos are not compared.
  friend bool operator==(const grid& a, const grid& b)
    requires std::equality_comparable<T>
  {
    if (a.extents() != b.extents()) return false;
    bool same = true;
    std::array<std::ptrdiff_t, N> at{};
    a.layout_.for_each_row([&](std::size_t begin) {
      same = same && std::equal(a.cells_.get() + begin, a.cells_.get() + begin + a.extent(N - 1),
                                &b.cells_[b.layout_.offset(at)]);
      a.layout_.next_row(at);
    });
    return same;
  }

 private:
  template <class, std::size_t, class, class>
  friend class detail::stencil_loop;

  std::unique_ptr<T[]> room() const { return std::make_unique_for_overwrite<T[]>(layout_.padded_size()); }

  detail::grid_layout<N> layout_;
  std::unique_ptr<T[]> cells_;
  std::unique_ptr<T[]> second_;  // the cells that a stencil's step writes
};

}  // namespace weir
