// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/task_team.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

// Number of elements up to which one thread sorts a range alone.
inline constexpr std::ptrdiff_t sort_alone = 2048;
inline constexpr std::ptrdiff_t sort_by_insertion = 24;

// Whether a comparison costs less than a mispredicted branch, so that partitions without branches
// are faster.
template <class T, class Less>
concept cheap_comparison =
    std::is_arithmetic_v<T> && (std::same_as<Less, std::less<>> || std::same_as<Less, std::less<T>> ||
                                std::same_as<Less, std::ranges::less> || std::same_as<Less, std::greater<>> ||
                                std::same_as<Less, std::greater<T>> || std::same_as<Less, std::ranges::greater>);

template <class It, class Less>
It median_of_three(It a, It b, It c, Less& less) {
  if (less(*b, *a)) std::swap(a, b);
  if (!less(*c, *b)) return b;
  return less(*c, *a) ? a : c;
}

// Returns an element near the median, from a sample of nine.
template <class It, class Less>
It choose_pivot(It first, It last, Less& less) {
  const auto step = (last - first) / 9;
  const auto three = [&](std::ptrdiff_t i) {
    return median_of_three(first + i * step, first + (i + 1) * step, first + (i + 2) * step, less);
  };
  return median_of_three(three(0), three(3), three(6), less);
}

// Moves the elements for which `before` is true to the front. @return the beginning of the other
// elements
template <class It, class Less, class Before>
It partition_by(It first, It last, Less&, Before&& before) {
  using value = std::iter_value_t<It>;
  if constexpr (cheap_comparison<value, Less>) {
    It end = first;
    for (It at = first; at != last; ++at) {
      const value moved = *at;
      *at = *end;
      *end = moved;
      end += before(moved) ? 1 : 0;
    }
    return end;
  } else {
    return std::partition(first, last, before);
  }
}

template <class It>
struct sorted_apart {
  It end_of_smaller;
  It begin_of_larger;
};

// All elements in [end_of_smaller, begin_of_larger) are equal to the pivot, and therefore in their
// final place.
template <class It, class Less>
sorted_apart<It> partition_around_pivot(It first, It last, Less& less) {
  std::iter_swap(first, choose_pivot(first, last, less));
  // The pivot stays in `first` while the rest is compared with it.
  using value = std::iter_value_t<It>;
  using pivot_type = std::conditional_t<cheap_comparison<value, Less>, const value, const value&>;
  pivot_type pivot = *first;
  const It middle = partition_by(first + 1, last, less, [&](const value& each) { return less(each, pivot); });
  It larger = middle;
  // Elements equal to the pivot are all on the right. If there are many of them, they are
  // partitioned off, because a quicksort that continued with them would take quadratic time.
  if (last - middle > (last - first) / 8 * 7) {
    larger = partition_by(middle, last, less, [&](const value& each) { return !less(pivot, each); });
  }
  std::iter_swap(first, middle - 1);
  return {middle - 1, larger};
}

template <class It, class Less>
void sort_small(It first, It last, Less& less) {
  if (first == last) return;
  for (It at = first + 1; at != last; ++at) {
    auto value = std::move(*at);
    It to = at;
    for (; to != first && less(value, *(to - 1)); --to) *to = std::move(*(to - 1));
    *to = std::move(value);
  }
}

// Quicksort by one thread. After `depth` partitions it switches to heapsort.
template <class It, class Less>
void sort_range(It first, It last, Less& less, int depth) {
  if constexpr (!cheap_comparison<std::iter_value_t<It>, Less>) {
    std::sort(first, last, std::ref(less));
  } else {
    while (last - first > sort_by_insertion) {
      if (depth-- == 0) {
        std::make_heap(first, last, std::ref(less));
        std::sort_heap(first, last, std::ref(less));
        return;
      }
      const auto [end, begin] = partition_around_pivot(first, last, less);
      if (end - first < last - begin) {
        sort_range(first, end, less, depth);
        first = begin;
      } else {
        sort_range(begin, last, less, depth);
        last = end;
      }
    }
    sort_small(first, last, less);
  }
}

template <class It, class Less>
class sorting {
 public:
  sorting(It first, It last, Less& less, std::size_t members) : left_(last - first), less_(less), team_(members) {
    const int depth = 2 * static_cast<int>(std::bit_width(static_cast<std::size_t>(last - first)));
    first_ = std::make_unique<sort_task>(*this, first, last, depth);
  }

  void run(const std::stop_token& stop) {
    team_.run(stop, [&](std::size_t member) { first_.release()->run(team_, member); });
  }

 private:
  class sort_task final : public task {
   public:
    sort_task(sorting& all, It first, It last, int depth) : all_(all), first_(first), last_(last), depth_(depth) {}
    void run(task_team& team, std::size_t member) override {
      const std::unique_ptr<sort_task> self(this);
      while (last_ - first_ > sort_alone && depth_-- != 0) {
        const auto [end, begin] = partition_around_pivot(first_, last_, all_.less_);
        all_.in_place(begin - end);
        if (last_ - begin > 0) push(team, member, begin, last_);
        last_ = end;
      }
      sort_range(first_, last_, all_.less_, depth_ < 0 ? 0 : depth_);
      all_.in_place(last_ - first_);
    }
    void discard() noexcept override { delete this; }

   private:
    void push(task_team& team, std::size_t member, It first, It last) {
      auto other = std::make_unique<sort_task>(all_, first, last, depth_);
      team.push(member, *other);
      other.release();
    }
    sorting& all_;
    It first_;
    It last_;
    int depth_;
  };

  // Counts `count` more elements in their final place.
  void in_place(std::ptrdiff_t count) noexcept {
    if (left_.fetch_sub(count, std::memory_order_acq_rel) == count) team_.finish();
  }

  std::atomic<std::ptrdiff_t> left_;
  Less& less_;
  task_team team_;
  std::unique_ptr<sort_task> first_;
};

}  // namespace detail

/// Sorts in place; not stable. `less` is a strict weak order that several threads may call at the
/// same time.
///
/// Cost: O(n log n) comparisons and moves, for unfavourable or hostile input too, shared by the
/// workers once the first partitions are made; O(log n) stack and small allocations. Numbers in
/// their natural order, or `std::greater`, are partitioned without branches.
/// @param options uses `workers` and `stop`; ignores the schedule and the grain
/// @throws the exceptions of `less`; all elements are then valid, and none is lost unless `less`
/// threw while it was being moved. `stopped` as parallel_for, with no element lost
///
/// Source: C. A. R. Hoare, Quicksort, 1962; introsort's limit of depth (D. R. Musser, 1997); the
/// partition without branches after S. Edelkamp and A. Weiß, BlockQuicksort, 2016, with N. Lomuto's
/// single pass.
template <std::random_access_iterator It, class Less = std::less<>>
void parallel_sort(It first, It last, Less less = {}, const parallel_options& options = {}) {
  if (last - first < 2) return;
  const std::size_t members = detail::parts_of(static_cast<std::size_t>(last - first), options);
  if (last - first <= detail::sort_alone || members == 1) {
    detail::sort_range(first, last, less, 2 * static_cast<int>(std::bit_width(static_cast<std::size_t>(last - first))));
    return;
  }
  detail::sorting<It, Less>(first, last, less, members).run(options.stop);
}

/// As above, for a vector, an array, a span, …
template <std::ranges::random_access_range Range, class Less = std::less<>>
  requires(!std::random_access_iterator<std::remove_cvref_t<Range>>)
void parallel_sort(Range&& range, Less less = {}, const parallel_options& options = {}) {
  const auto first = std::ranges::begin(range);
  parallel_sort(first, first + std::ranges::distance(range), std::move(less), options);
}

}  // namespace weir
