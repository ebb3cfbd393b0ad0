// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/split.hpp"
#include "weir/detail/blocks/node_functions.hpp"
#include "weir/export.hpp"

#include <cstddef>
#include <tuple>
#include <utility>

namespace weir {
namespace detail {

/// Moves the items at `from`, one of each stream, into a new tuple in the raw memory at `to`, and
/// destroys the items.
using zipping = void (*)(void* to, std::byte* const* from) noexcept;

template <class... Items>
void zip_items(void* to, std::byte* const* from) noexcept {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ::new (to) std::tuple<Items...>(std::move(*reinterpret_cast<Items*>(from[I]))...);
    (reinterpret_cast<Items*>(from[I])->~Items(), ...);
  }(std::index_sequence_for<Items...>{});
}

WEIR_API shape_pointer zip_shape(zipping together, const item_type* const* in, std::size_t ins, const item_type& out);

}  // namespace detail

/// Combines one item of each stream into one tuple: the first items with each other, then the
/// second, and so on. Ends when the first of the streams ends. Remaining items of the other streams
/// are discarded.
template <class... Items>
  requires(sizeof...(Items) > 1)
block<streams<Items...>, std::tuple<Items...>> zip() {
  return block<streams<Items...>, std::tuple<Items...>>(
      detail::zip_shape(detail::zip_items<Items...>, detail::item_types<detail::type_list<Items...>>, sizeof...(Items),
                        item_type_of<std::tuple<Items...>>()));
}

/// Same as above, for the outputs of several blocks: `zip(source_of_a, source_of_b)`.
template <some_block First, some_block... Rest>
  requires(sizeof...(Rest) > 0)
auto zip(const First& first, const Rest&... rest) {
  return split(first, rest...) | zip<typename First::out_type, typename Rest::out_type...>();
}

}  // namespace weir
