// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/patterns/parallel_for.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// The type of the parameter of a function of elements, without const and reference.
template <class F>
struct element_of {
  using type = void;
};
template <deducible F>
struct element_of<F> {
  using type = std::remove_cvref_t<typename first_of<typename node_signature<F>::arguments>::type>;
};

}  // namespace detail

/// A node whose items are ranges; it calls `f(element)` by a parallel_for over the elements of each
/// range (F2 §2, Map). If `f` returns nothing, it changes elements in place, and the node sends the
/// range itself. If `f` returns a value, the node sends a `std::vector` of the values.
///
/// Other nodes run meanwhile. For several ranges at a time use `farm(map<Range>(f), n)`. Several
/// workers call `f` at the same time. Cost: that of parallel_for, and of the vector if there is
/// one.
/// @tparam Range has random access and a size. The result of `f` has a default constructor and is
/// not bool, whose vector can't be written in parallel
/// @throws in the node: the exceptions of `f`
template <class Range, class F>
auto map(F f, parallel_options options = {}) {
  static_assert(std::ranges::random_access_range<Range> && std::ranges::sized_range<Range>,
                "weir: the items of map are ranges with random access and a size");
  static_assert(std::is_invocable_v<F&, std::ranges::range_reference_t<Range>>,
                "weir: map needs a function of the elements of its ranges");
  using made = std::remove_cvref_t<std::invoke_result_t<F&, std::ranges::range_reference_t<Range>>>;
  if constexpr (std::is_void_v<made>) {
    return node<Range, Range>([f = std::move(f), options = std::move(options)](Range range) mutable {
      parallel_for(range, f, options);
      return range;
    });
  } else {
    static_assert(std::default_initializable<made> && !std::same_as<made, bool>,
                  "weir: what map makes of an element has a default constructor, and is not bool");
    return node<Range, std::vector<made>>([f = std::move(f), options = std::move(options)](Range range) mutable {
      const auto first = std::ranges::begin(range);
      std::vector<made> results(static_cast<std::size_t>(std::ranges::size(range)));
      parallel_for(
          std::size_t{0}, results.size(),
          [&](std::size_t i) {
            results[i] = std::invoke(f, first[static_cast<std::ranges::range_difference_t<Range>>(i)]);
          },
          options);
      return results;
    });
  }
}

/// As above, for `std::vector`s of the type that `f` takes.
template <class F>
  requires detail::deducible<F>
auto map(F f, parallel_options options = {}) {
  return map<std::vector<typename detail::element_of<F>::type>>(std::move(f), std::move(options));
}

}  // namespace weir
