// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class... Blocks>
shape beside(const char* kind, const Blocks&... blocks) {
  shape made;
  made.what = shape::form::set;
  made.kind = kind;
  made.children = {blocks.shape()...};
  return made;
}

}  // namespace detail

/// Blocks side by side, each with streams of its own: the i-th outlet of the node before leads to the i-th block. What they
/// send stays apart as `streams<…>`, or flows together where the next block takes one stream of its type. Blocks that
/// send nothing end their stream.
///
///     weir::node(parse) | weir::split(good | store, weir::sink(report))     // process(line, outlet<record>&, outlet<error>&)
template <class... Parts>
  requires(sizeof...(Parts) > 1)
auto split(Parts... parts) {
  return [](auto... blocks) {
    detail::shape made = detail::beside("split", blocks...);
    made.own_streams_in = made.own_streams_out = true;
    return block<detail::side_by_side_t<typename decltype(blocks)::in_type...>,
                 detail::side_by_side_t<typename decltype(blocks)::out_type...>>(
        std::make_shared<const detail::shape>(std::move(made)));
  }(detail::as_block(std::move(parts))...);
}

/// A copy of every item to each of several blocks, which may send different types; what they send is as for `split`. Items
/// that can't be copied are a compile error.
template <class... Parts>
  requires(sizeof...(Parts) > 1)
auto tee(Parts... parts) {
  return []<class First, class... Rest>(First first, Rest... rest) {
    using in = typename First::in_type;
    static_assert((std::is_same_v<in, typename Rest::in_type> && ...), "weir: the blocks of a tee take the same type");
    static_assert(std::is_copy_constructible_v<in>, "weir: tee copies its items, and this type can't be copied");
    detail::shape made = detail::beside("tee", first, rest...);
    made.own_streams_out = true;
    made.input = policy{distribution::broadcast, 1, {}};
    return block<in, detail::side_by_side_t<typename First::out_type, typename Rest::out_type...>>(
        std::make_shared<const detail::shape>(std::move(made)));
  }(detail::as_block(std::move(parts))...);
}

/// What several blocks of one output type send, as one stream, in the order in which it comes: of several sources, or of
/// blocks behind a split.
template <some_block First, some_block... Rest>
  requires(sizeof...(Rest) > 0)
auto merge(const First& first, const Rest&... rest) {
  using out = typename First::out_type;
  static_assert((std::is_same_v<out, typename Rest::out_type> && ...),
                "weir: the blocks of a merge send the same type; convert what differs before it");
  detail::shape made = detail::beside("merge", first, rest...);
  made.own_streams_in = true;
  return block<detail::side_by_side_t<typename First::in_type, typename Rest::in_type...>, out>(
      std::make_shared<const detail::shape>(std::move(made)));
}

}  // namespace weir
