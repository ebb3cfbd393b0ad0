// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/patterns/parallel_for.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// Folds [0, count): `fold(value, chunk)` continues a value over consecutive indices. Each part of
// the loop folds a chunk onto its last value if the chunk follows the indices of that value.
// Therefore there are about as many values as parts. They are combined from left to right.
template <class T, class Fold, class Combine>
T reduce_chunks(std::size_t count, const T& identity, Fold&& fold, Combine&& combine, const parallel_options& options) {
  struct run {
    std::size_t begin;
    std::size_t end;
    T value;
  };
  struct alignas(cache_line) part {
    std::vector<run> runs;
  };
  std::vector<part> parts(parts_of(count, options));
  for_chunks(count, options, [&](const chunk& some) {
    std::vector<run>& runs = parts[some.part].runs;
    if (runs.empty() || runs.back().end != some.begin) runs.push_back({some.begin, some.begin, identity});
    run& last = runs.back();
    T value = std::move(last.value);  // in registers, for bodies that the compiler inlines
    fold(value, some);
    last.value = std::move(value);
    last.end = some.end;
  });
  std::vector<run> all;
  for (part& each : parts) std::move(each.runs.begin(), each.runs.end(), std::back_inserter(all));
  std::sort(all.begin(), all.end(), [](const run& a, const run& b) { return a.begin < b.begin; });
  T result = identity;
  for (run& each : all) result = combine(std::move(result), std::move(each.value));
  return result;
}

template <class Body, class T, class... Index>
concept accumulating_body = requires(Body& body, T& value, Index... index) {
  { std::invoke(body, index..., value) } -> std::same_as<void>;
};
template <class Body, class T, class... Index>
concept mapping_body = loop_body<Body, Index...> && !accumulating_body<Body, T, Index...>;

template <class T, class Body, class Combine, class Index>
void fold_one(T& value, Body& body, Combine& combine, std::size_t worker, Index&& index) {
  if constexpr (accumulating_body<Body, T, Index>) {
    std::invoke(body, std::forward<Index>(index), value);
  } else {
    value = combine(std::move(value), call_body(body, worker, std::forward<Index>(index)));
  }
}

}  // namespace detail

/// Combines the results of `body` for the indices in [first, last). Returns the combined value, or
/// `identity` if there is no index.
///
///     const double dot = weir::parallel_reduce(0, n, 0.0, [&](int i) { return x[i] * y[i]; }, std::plus<>());
///
/// The body takes the index (and optionally a `worker_index`) and returns a value; or it takes the
/// index and a `T&`, to which it adds its value itself, and returns nothing. `combine(T, T) -> T`
/// must be associative and have `identity` as its identity. It need not be commutative: values are
/// combined in the order of their indices. The grouping changes from call to call, which affects
/// floating-point sums; with `schedule::fixed` and no grain it depends on the number of workers
/// only. Cost: as parallel_for, and one value for each part of the loop. Throws as parallel_for,
/// and the exceptions of `combine`.
template <std::integral I, std::integral J, class T, class Body, std::invocable<T, T> Combine>
  requires(detail::loop_body<Body, detail::index_of<I, J>> ||
           detail::accumulating_body<Body, T, detail::index_of<I, J>>)
T parallel_reduce(I first, J last, T identity, Body&& body, Combine&& combine, const parallel_options& options = {}) {
  using index = detail::index_of<I, J>;
  const detail::stepped<index> all(first, last, 1);
  return detail::reduce_chunks(
      all.count(), identity,
      [&](T& value, const detail::chunk& some) {
        all.for_each(some.begin, some.end, [&](index i) { detail::fold_one(value, body, combine, some.worker, i); });
      },
      combine, options);
}

/// As above, for the elements of a vector, an array, a span, …
template <std::ranges::random_access_range Range, class T, class Body, std::invocable<T, T> Combine>
  requires(std::ranges::sized_range<Range> &&
           (detail::loop_body<Body, std::ranges::range_reference_t<Range>> ||
            detail::accumulating_body<Body, T, std::ranges::range_reference_t<Range>>))
T parallel_reduce(Range&& range, T identity, Body&& body, Combine&& combine, const parallel_options& options = {}) {
  const auto first = std::ranges::begin(range);
  using difference = std::ranges::range_difference_t<Range>;
  return detail::reduce_chunks(
      static_cast<std::size_t>(std::ranges::size(range)), identity,
      [&](T& value, const detail::chunk& some) {
        const auto end = first + static_cast<difference>(some.end);
        for (auto at = first + static_cast<difference>(some.begin); at != end; ++at) {
          detail::fold_one(value, body, combine, some.worker, *at);
        }
      },
      combine, options);
}

/// As above, for the elements themselves, without a body.
template <std::ranges::random_access_range Range, class T, class Combine>
  requires(std::ranges::sized_range<Range> && std::invocable<Combine&, T, std::ranges::range_reference_t<Range>>)
T parallel_reduce(Range&& range, T identity, Combine&& combine, const parallel_options& options = {}) {
  return parallel_reduce(
      range, std::move(identity), [](auto&& element) -> decltype(auto) { return (element); }, combine, options);
}

}  // namespace weir
