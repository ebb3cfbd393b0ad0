// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/patterns/index_space.hpp"
#include "weir/patterns/schedule.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

// Calls a body with an index or an element, and with the worker's index if the body takes it.
template <class Body, class... Index>
concept loop_body = std::invocable<Body&, Index...> || std::invocable<Body&, Index..., worker_index>;

template <class Body, class... Index>
decltype(auto) call_body(Body& body, std::size_t worker, Index&&... index) {
  if constexpr (std::invocable<Body&, Index..., worker_index>) {
    return std::invoke(body, std::forward<Index>(index)..., worker_index{worker});
  } else {
    return std::invoke(body, std::forward<Index>(index)...);
  }
}

// The indices first, first + step, … before `last`, numbered from 0. The step may have another sign
// than `I` has.
template <std::integral I>
class stepped {
 public:
  template <std::integral First, std::integral Last, std::integral Step>
  stepped(First first, Last last, Step step) : first_(bound(first)), step_(static_cast<wide>(step)) {
    if (step == 0) throw std::invalid_argument("weir: a parallel loop with step 0 would not end; give it another step");
    const bool up = step > 0;
    const I end = bound(last);
    if (up ? first_ >= end : first_ <= end) return;
    const wide length =
        up ? static_cast<wide>(end) - static_cast<wide>(first_) : static_cast<wide>(first_) - static_cast<wide>(end);
    const auto stride = up ? static_cast<std::uintmax_t>(step) : std::uintmax_t{0} - static_cast<std::uintmax_t>(step);
    count_ = static_cast<std::size_t>((length - 1) / stride) + 1;
  }
  std::size_t count() const noexcept { return count_; }
  /// Calls `f` with the indices numbered [begin, end).
  template <class F>
  void for_each(std::size_t begin, std::size_t end, F&& f) const {
    if (step_ == 1) {  // a loop that the compiler can vectorise
      I index = (*this)[begin];
      for (std::size_t left = end - begin; left != 0; --left) f(index++);
    } else {
      for (std::size_t i = begin; i != end; ++i) f((*this)[i]);
    }
  }

 private:
  // Differences are computed in an unsigned type, where they are right even if the signed type
  // overflows.
  using wide = std::conditional_t<(sizeof(I) < sizeof(unsigned)), unsigned, std::make_unsigned_t<I>>;

  template <std::integral Bound>
  static I bound(Bound of) {
    if constexpr (std::is_signed_v<Bound> && std::is_unsigned_v<I>) {
      if (of < 0) {
        throw std::invalid_argument(
            "weir: a parallel loop over unsigned indices has a negative bound; give both bounds a signed type");
      }
    }
    return static_cast<I>(of);
  }

  I operator[](std::size_t i) const noexcept {
    return static_cast<I>(static_cast<wide>(first_) + static_cast<wide>(i) * step_);
  }

  I first_;
  wide step_;
  std::size_t count_ = 0;
};

template <class I, class J>
using index_of = std::common_type_t<I, J>;

}  // namespace detail

/// Calls `body` for each index in [first, last), on this thread and on idle workers of the pool.
/// Returns when all calls have ended.
///
///     weir::parallel_for(0, n, [&](int i) { y[i] += a * x[i]; });
///
/// The body takes the index, and may take a `worker_index` as a second argument. Calls run at the
/// same time and in no order. May be used within a node's `process` and within another loop: all
/// loops share the threads of the pool, and start none. An empty range calls nothing. Cost: one
/// call for each index, in loops over chunks; a chunk costs 10 to 25 ns and, under `automatic`, two
/// readings of the clock; a launch costs about a microsecond while workers are awake.
/// @throws the first exception of a body; no further chunk begins then. `stopped` if a stop was
/// requested (`parallel_options::stop`), or if the run of the node that calls it was cancelled or
/// has failed. std::invalid_argument if one bound is negative and the type of the other is unsigned
///
/// Source: F2 §2, the parallel-for of its high-level patterns; the schedules have OpenMP's names.
template <std::integral I, std::integral J, class Body>
  requires detail::loop_body<Body, detail::index_of<I, J>>
void parallel_for(I first, J last, Body&& body, const parallel_options& options = {}) {
  parallel_for(first, last, 1, body, options);
}

/// As above, for every `step`-th index. A negative step counts downwards, to last + 1 at most.
/// @throws std::invalid_argument also if `step` is 0
template <std::integral I, std::integral J, std::integral Step, class Body>
  requires detail::loop_body<Body, detail::index_of<I, J>>
void parallel_for(I first, J last, Step step, Body&& body, const parallel_options& options = {}) {
  using index = detail::index_of<I, J>;
  const detail::stepped<index> all(first, last, step);
  detail::for_chunks(all.count(), options, [&](const detail::chunk& some) {
    all.for_each(some.begin, some.end, [&](index i) { detail::call_body(body, some.worker, i); });
  });
}

/// Calls `body` for each element in [first, last).
template <std::random_access_iterator It, class Body>
  requires detail::loop_body<Body, std::iter_reference_t<It>>
void parallel_for(It first, It last, Body&& body, const parallel_options& options = {}) {
  using difference = std::iter_difference_t<It>;
  const difference count = last - first;
  detail::for_chunks(count > 0 ? static_cast<std::size_t>(count) : 0, options, [&](const detail::chunk& some) {
    const It end = first + static_cast<difference>(some.end);
    for (It at = first + static_cast<difference>(some.begin); at != end; ++at)
      detail::call_body(body, some.worker, *at);
  });
}

/// Calls `body` for each element of a vector, an array, a span, …
template <std::ranges::random_access_range Range, class Body>
  requires(std::ranges::sized_range<Range> && detail::loop_body<Body, std::ranges::range_reference_t<Range>>)
void parallel_for(Range&& range, Body&& body, const parallel_options& options = {}) {
  const auto first = std::ranges::begin(range);
  parallel_for(first, first + std::ranges::distance(range), body, options);
}

/// Calls `body(i, j)` or `body(i, j, k)` for each point of the space. Points along the last
/// dimension follow each other.
///
///     weir::parallel_for(weir::index_space(rows, columns), [&](std::size_t i, std::size_t j) { … });
template <std::size_t N, class Body>
void parallel_for(const index_space<N>& space, Body&& body, const parallel_options& options = {}) {
  detail::for_chunks(space.size(), options, [&](const detail::chunk& some) {
    space.for_each(some.begin, some.end, [&](auto... at) {
      static_assert(detail::loop_body<Body, decltype(at)...>,
                    "weir: the body takes one std::size_t for each dimension, and perhaps a worker_index");
      detail::call_body(body, some.worker, at...);
    });
  });
}

}  // namespace weir
