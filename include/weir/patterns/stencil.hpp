// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/sweeps.hpp"
#include "weir/patterns/grid.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// Read-only view of a cell and the cells around it, as they were before the step; the argument of
/// a stencil's step function. Cheap to copy. Valid during the call only.
template <class T, std::size_t N>
class neighbourhood {
 public:
  /// Returns the cell at this offset in each dimension; (0, …, 0) is the cell to be computed. An
  /// offset is at most `halo()` in either direction; it is not checked.
  template <std::convertible_to<std::ptrdiff_t>... Offset>
    requires(sizeof...(Offset) == N)
  const T& operator()(Offset... by) const noexcept {
    const std::array<std::ptrdiff_t, N> away{static_cast<std::ptrdiff_t>(by)...};
    std::ptrdiff_t offset = away[N - 1];
    for (std::size_t d = 0; d + 1 != N; ++d) offset += away[d] * strides_[d];
    return here_[offset];
  }

  /// Returns the index of the cell to be computed in this dimension.
  std::size_t index(std::size_t dimension) const noexcept { return static_cast<std::size_t>(index_[dimension]); }

 private:
  template <class, std::size_t, class, class>
  friend class detail::stencil_loop;
  neighbourhood(const T* here, const std::array<std::ptrdiff_t, N>& strides,
                const std::array<std::ptrdiff_t, N>& index) noexcept
      : here_(here), strides_(strides), index_(index) {}

  const T* here_;
  std::array<std::ptrdiff_t, N> strides_;
  std::array<std::ptrdiff_t, N> index_;
};

/// Reduction of one step of a stencil to a value: `combine` joins the values that `measure` returns
/// for the cells.
///
///     weir::stencil_reduction{0.0, [](double before, double after) { return std::abs(after - before); },
///                             [](double a, double b) { return a > b ? a : b; }}   // the largest change
///
/// `combine(R, R) -> R` must be associative and commutative, with `identity` as its identity. The
/// grouping of the values depends on the extents and the grain only. Therefore the result is the
/// same for any number of workers, for floating-point numbers too.
template <class R, class Measure, class Combine>
struct stencil_reduction {
  R identity;
  Measure measure;  ///< (const T& before, const T& after) -> R
  Combine combine;
};
template <class R, class Measure, class Combine>
stencil_reduction(R, Measure, Combine) -> stencil_reduction<R, Measure, Combine>;

/// Result of a `stencil` with a reduction.
template <class R>
struct stencil_result {
  std::size_t iterations = 0;
  /// Reduced value of the last step; the identity if there was no step.
  R reduced;
};

namespace detail {

struct no_reduction {};
template <class Reduction>
struct reduced_by {
  using type = no_reduction;
};
template <class R, class Measure, class Combine>
struct reduced_by<stencil_reduction<R, Measure, Combine>> {
  using type = R;
};

// One call of stencil. `step` writes to the second set of cells of the grid, and the two sets are
// then swapped.
template <class T, std::size_t N, class Step, class Reduction>
class stencil_loop {
 public:
  using reduced = typename reduced_by<Reduction>::type;
  static constexpr bool reduces = !std::is_same_v<Reduction, no_reduction>;

  stencil_loop(grid<T, N>& cells, Step& step, const Reduction& reduction, const parallel_options& options)
      : grid_(cells),
        layout_(cells.layout_),
        step_(step),
        reduction_(reduction),
        runs_(layout_.rows(), layout_.extents()[N - 1], options.grain),
        sweeps_(runs_.blocks, options),
        values_(reduces ? runs_.blocks : 0, value{identity()}) {
    if (grid_.size() == 0) return;
    if (grid_.second_ == nullptr) grid_.second_ = grid_.room();
    T* const first = grid_.cells_.get();
    layout_.for_each_row([&](std::size_t row) { layout_.fill_ends(first + row); });
    layout_.fill_sides(first);
    if (layout_.boundary().any(boundary::fixed)) copy_halo();
  }

  stencil_loop(const stencil_loop&) = delete;
  stencil_loop& operator=(const stencil_loop&) = delete;

  // Makes one step. If it throws, the grid is unchanged.
  reduced step() {
    const T* const from = grid_.cells_.get();
    T* const to = grid_.second_.get();
    sweeps_.sweep([&](std::size_t block, std::size_t) {
      if constexpr (reduces) {
        values_[block].of_block = run(block, from, to);
      } else {
        run(block, from, to);
      }
    });
    if (runs_.blocks != 0) {
      if (runs_.in_row != 1) layout_.for_each_row([&](std::size_t row) { layout_.fill_ends(to + row); });
      layout_.fill_sides(to);
    }
    std::swap(grid_.cells_, grid_.second_);
    reduced all = identity();
    if constexpr (reduces) {
      for (value& each : values_) all = reduction_.combine(std::move(all), std::move(each.of_block));
    }
    return all;
  }

  reduced identity() const {
    if constexpr (reduces) {
      return reduction_.identity;
    } else {
      return {};
    }
  }

 private:
  // The division of the rows into runs of cells, and of the runs into blocks. It does not depend on
  // the workers.
  struct division {
    std::size_t length;      // cells in a run
    std::size_t in_row = 1;  // runs in a row
    std::size_t all = 0;     // runs in the grid
    std::size_t in_block = 1;
    std::size_t blocks = 0;

    division(std::size_t rows, std::size_t row, std::size_t grain) : length(row) {
      if (rows == 0 || row == 0) return;
      constexpr std::size_t most = 512;
      const std::size_t least_cells = grain == 0 ? 4096 : grain;
      const std::size_t rows_at_least = (least_cells - 1) / row + 1;
      if (rows / rows_at_least < most / 8 && row > least_cells) {
        in_row = std::min(row / least_cells, std::max<std::size_t>(most / rows, 1));
        length = (row - 1) / in_row + 1;
        in_row = (row - 1) / length + 1;
      }
      all = rows * in_row;
      in_block = std::max(in_row == 1 ? rows_at_least : 1, (all - 1) / most + 1);
      blocks = (all - 1) / in_block + 1;
    }
  };

  using index = std::array<std::ptrdiff_t, N>;
  struct value {
    reduced of_block;
  };
  // Neighbouring cells are reduced in separate lanes, so that the compiler can vectorise the loop
  // without changing the order in which floating-point numbers are combined.
  static constexpr std::size_t lanes = std::is_arithmetic_v<reduced> ? 256 : 1;
  using tally = std::array<reduced, lanes>;

  reduced run(std::size_t block, const T* from, T* to) {
    const std::size_t first = block * runs_.in_block;
    const std::size_t last = std::min(first + runs_.in_block, runs_.all);
    const std::size_t row = layout_.extents()[N - 1];
    auto at = layout_.row(first / runs_.in_row);
    at[N - 1] = static_cast<std::ptrdiff_t>(first % runs_.in_row * runs_.length);
    tally all{identity()};
    if constexpr (lanes != 1) all.fill(identity());
    for (std::size_t i = first; i != last; ++i) {
      const std::size_t offset = layout_.offset(at);
      const std::size_t begin = static_cast<std::size_t>(at[N - 1]);
      const std::size_t count = std::min(runs_.length, row - begin);
      if constexpr (reduces) {
        reduce_cells(from + offset, to + offset, count, at, all);
      } else {
        make_cells(from + offset, to + offset, count, at);
      }
      if (runs_.in_row == 1) layout_.fill_ends(to + offset);
      if (begin + count == row) {
        layout_.next_row(at);
      } else {
        at[N - 1] += static_cast<std::ptrdiff_t>(count);
      }
    }
    if constexpr (reduces) {
      for (std::size_t width = lanes; (width /= 2) != 0;) {
        for (std::size_t lane = 0; lane != width; ++lane) {
          all[lane] = reduction_.combine(std::move(all[lane]), std::move(all[lane + width]));
        }
      }
    }
    return std::move(all.front());
  }

  T make(const T* from, index at, std::size_t i) {
    at[N - 1] += static_cast<std::ptrdiff_t>(i);
    return static_cast<T>(std::invoke(step_, neighbourhood<T, N>(from + i, layout_.strides(), at)));
  }

  void make_cells(const T* from, T* __restrict to, std::size_t count, const index& at) {
    for (std::size_t i = 0; i != count; ++i) to[i] = make(from, at, i);
  }

  void reduce_cells(const T* from, T* __restrict to, std::size_t count, const index& at, tally& into) {
    reduced* __restrict const all = into.data();
    for (std::size_t done = 0; done != count;) {
      const std::size_t some = std::min(count - done, lanes);
      for (std::size_t lane = 0; lane < some; ++lane) {
        T made = make(from, at, done + lane);
        all[lane] = reduction_.combine(std::move(all[lane]),
                                       std::invoke(reduction_.measure, from[done + lane], std::as_const(made)));
        to[done + lane] = std::move(made);
      }
      done += some;
    }
  }

  // Copies the halo of the first cells, which holds the values that the user stored, to the second
  // cells.
  void copy_halo() {
    const T* const first = grid_.cells_.get();
    T* const second = grid_.second_.get();
    std::size_t done = 0;
    layout_.for_each_row([&](std::size_t row) {
      std::copy(first + done, first + row, second + done);
      done = row + layout_.extents()[N - 1];
    });
    std::copy(first + done, first + layout_.padded_size(), second + done);
  }

  grid<T, N>& grid_;
  const grid_layout<N>& layout_;
  Step& step_;
  const Reduction& reduction_;
  const division runs_;
  sweeps sweeps_;
  std::vector<value> values_;
};

template <class Until, class... Reduced>
concept ends_stencil = std::predicate<Until&, std::size_t, Reduced...> || std::convertible_to<Until&, std::size_t>;

template <class... Reduced, class T, std::size_t N, class Step, class Reduction, class Until>
auto repeat_step(grid<T, N>& cells, Step& step, const Reduction& reduction, const parallel_options& options,
                 Until& until) {
  static_assert(std::is_invocable_r_v<T, Step&, neighbourhood<T, N>>,
                "weir: the step of a stencil takes a weir::neighbourhood of the grid and returns a cell");
  static_assert(
      ends_stencil<Until, const Reduced&...>,
      "weir: the condition of a stencil takes the number of steps, and the reduced value if there is one, and "
      "returns a bool; or it is a number of steps");
  stencil_loop<T, N, Step, Reduction> loop(cells, step, reduction, options);
  stencil_result<typename decltype(loop)::reduced> result{0, loop.identity()};
  if constexpr (std::predicate<Until&, std::size_t, const Reduced&...>) {
    for (bool ended = false; !ended;) {
      result.reduced = loop.step();
      ++result.iterations;
      if constexpr (sizeof...(Reduced) == 0) {
        ended = std::invoke(until, result.iterations);
      } else {
        ended = std::invoke(until, result.iterations, std::as_const(result.reduced));
      }
    }
  } else {
    for (; result.iterations != static_cast<std::size_t>(until); ++result.iterations) result.reduced = loop.step();
  }
  return result;
}

}  // namespace detail

/// Replaces every cell of the grid by the result of `step` for its neighbourhood, all cells at the
/// same time, and repeats this until `until(iterations)` returns true. `until` is called after each
/// step. Returns the number of steps.
///
///     weir::stencil(plate, [](auto at) { return (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)) / 4; }, 1000);
///
/// `step(neighbourhood<T, N>) -> T` is called at the same time for different cells. `until` may
/// also be the number of steps. The calls run on this thread and on idle workers of the pool. Each
/// worker keeps the same rows from step to step as far as possible. The function may be used within
/// a node's `process`. The grid must not be used elsewhere during the call.
/// Cost: a launch for each step, about a microsecond while workers are awake, and the filling of
/// the halo; a second set of cells, which stays with the grid. The loop along the last dimension
/// has no branches except those of `step`, so that the compiler can vectorise it.
/// @param options uses `workers`, `stop`, and `grain`, the smallest number of cells in a block
/// (4096); ignores the schedule
/// @throws the first exception of `step` or `until`, and `stopped` as parallel_for does; the grid
/// is then as after the last complete step
///
/// Source: FastFlow's stencilReduce; M. Aldinucci et al., The Loop-of-Stencil-Reduce paradigm
/// (2015).
template <class T, std::size_t N, class Step, class Until>
std::size_t stencil(grid<T, N>& cells, Step&& step, Until&& until, const parallel_options& options = {}) {
  return detail::repeat_step(cells, step, detail::no_reduction{}, options, until).iterations;
}

/// As above, with a reduction of each step. `until(iterations, reduced)` is called after each step.
///
///     const auto [steps, change] = weir::stencil(plate, average, largest_change, [](std::size_t step, double change) {
///       return change < 1e-6 || step == 10'000;
///     });
template <class T, std::size_t N, class Step, class R, class Measure, class Combine, class Until>
stencil_result<R> stencil(grid<T, N>& cells, Step&& step, const stencil_reduction<R, Measure, Combine>& reduction,
                          Until&& until, const parallel_options& options = {}) {
  static_assert(
      std::is_invocable_r_v<R, const Measure&, const T&, const T&> && std::is_invocable_r_v<R, const Combine&, R, R>,
      "weir: of a stencil_reduction, measure takes a cell before and after the step, and combine two of what it gives");
  return detail::repeat_step<R>(cells, step, reduction, options, until);
}

}  // namespace weir
