// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/patterns/schedule.hpp"

#include <cstddef>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace weir {

/// Kind of a prefix sum.
enum class scan {
  inclusive,  ///< each result covers its own element
  exclusive,  ///< each result covers the elements before its own only
};

/// Computes prefix sums: writes to `out` the running result of `combine` over the elements of
/// `range`. For {1, 2, 3} and addition these are 1, 3, 6, or exclusive 0, 1, 3. `out` may be the
/// beginning of the range itself.
///
/// `combine(T, T) -> T` must be associative; it need not be commutative. Elements are read twice,
/// on all workers: each worker combines its part, then goes over the part again, starting with the
/// combination of the parts before it. Therefore `combine` is called up to twice for each element,
/// and more than one worker is worthwhile if `combine` costs more than memory access. With one
/// worker there is one pass.
/// @param options the schedule and the grain are ignored: each worker has one contiguous part
/// @return the combination of all elements; `identity` for an empty range, for which nothing is
/// written
/// @throws the exceptions of `combine`; `out` is then partly written. `stopped` as parallel_for
///
/// Source: G. E. Blelloch, Prefix sums and their applications, 1990, §1.3.
template <std::ranges::random_access_range Range, std::random_access_iterator Out, class T, class Combine>
  requires std::ranges::sized_range<Range>
T parallel_scan(Range&& range, Out out, T identity, Combine&& combine, scan kind = scan::inclusive,
                const parallel_options& options = {}) {
  using difference = std::ranges::range_difference_t<Range>;
  const auto in = std::ranges::begin(range);
  const auto count = static_cast<std::size_t>(std::ranges::size(range));
  parallel_options each_one_part = options;
  each_one_part.schedule = schedule::fixed;
  each_one_part.grain = 0;
  const std::size_t parts = detail::parts_of(count, each_one_part);
  std::vector<std::optional<T>> before(parts);
  if (parts > 1) {
    detail::for_chunks(count, each_one_part, [&](const detail::chunk& some) {
      if (some.part + 1 == parts) return;  // no part follows the last one
      auto at = in + static_cast<difference>(some.begin);
      T sum = *at;
      for (const auto end = in + static_cast<difference>(some.end); ++at != end;) sum = combine(std::move(sum), *at);
      before[some.part] = std::move(sum);
    });
  }
  T sum = identity;
  for (std::optional<T>& each : before) {
    std::optional<T> next = each ? std::optional<T>(combine(sum, std::move(*each))) : std::nullopt;
    each = std::move(sum);
    if (next) sum = std::move(*next);
  }
  T all = std::move(identity);
  detail::for_chunks(count, each_one_part, [&](const detail::chunk& some) {
    T sum_here = std::move(*before[some.part]);
    auto at = in + static_cast<difference>(some.begin);
    auto to = out + static_cast<std::iter_difference_t<Out>>(some.begin);
    for (const auto end = in + static_cast<difference>(some.end); at != end; ++at, ++to) {
      if (kind == scan::inclusive) {
        sum_here = combine(std::move(sum_here), *at);
        *to = sum_here;
      } else {
        T next = combine(sum_here, *at);  // computed first, because writing may overwrite the element
        *to = std::move(sum_here);
        sum_here = std::move(next);
      }
    }
    if (some.end == count) all = std::move(sum_here);
  });
  return all;
}

}  // namespace weir
