// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/farm.hpp"
#include "weir/blocks/node.hpp"

#include <type_traits>
#include <utility>

namespace weir {
/// Blocks side by side, each with streams of its own: the i-th outlet of the preceding node leads
/// to the i-th block. Their outputs remain separate streams, `streams<…>`. If they have one type,
/// they are merged when the next block takes one stream of that type. A block that sends nothing
/// has no output stream.
///
///     weir::node(parse) | weir::split(good | store, weir::sink(report))  // parse(line, outlet<data>&, outlet<error>&)
template <class... Parts>
  requires(sizeof...(Parts) > 1)
auto split(Parts... parts) {
  return [](auto... blocks) {
    const detail::shape_pointer all[] = {blocks.shape()...};
    return block<detail::side_by_side_t<typename decltype(blocks)::in_type...>,
                 detail::side_by_side_t<typename decltype(blocks)::out_type...>>(
        detail::beside("split", all, sizeof...(blocks), {.own_streams_in = true, .own_streams_out = true}));
  }(detail::as_block(std::move(parts))...);
}

/// Sends a copy of every item to each of several blocks, which may send items of different types.
/// The outputs are combined as by `split`. Items that can't be copied are a compile error.
template <class... Parts>
  requires(sizeof...(Parts) > 1)
auto tee(Parts... parts) {
  return []<class First, class... Rest>(First first, Rest... rest) {
    using in = typename First::in_type;
    static_assert((std::is_same_v<in, typename Rest::in_type> && ...), "weir: the blocks of a tee take the same type");
    static_assert(std::is_copy_constructible_v<in>, "weir: tee copies its items, and this type can't be copied");
    const detail::shape_pointer all[] = {first.shape(), rest.shape()...};
    return block<in, detail::side_by_side_t<typename First::out_type, typename Rest::out_type...>>(
        detail::beside("tee", all, 1 + sizeof...(rest), {.own_streams_out = true, .broadcast = true}));
  }(detail::as_block(std::move(parts))...);
}

/// Merges the outputs of several blocks of one output type into one stream, in the order in which
/// the items arrive. The blocks may be several sources, or blocks behind a split.
template <some_block First, some_block... Rest>
  requires(sizeof...(Rest) > 0)
auto merge(const First& first, const Rest&... rest) {
  using out = typename First::out_type;
  static_assert((std::is_same_v<out, typename Rest::out_type> && ...),
                "weir: the blocks of a merge send the same type; convert what differs before it");
  const detail::shape_pointer all[] = {first.shape(), rest.shape()...};
  return block<detail::side_by_side_t<typename First::in_type, typename Rest::in_type...>, out>(
      detail::beside("merge", all, 1 + sizeof...(rest), {.own_streams_in = true}));
}

}  // namespace weir
