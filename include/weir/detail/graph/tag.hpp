// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/item/item_type.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weir::detail {

/// The tag of an item: words that lie before the item in its slot and travel with it, if the
/// description of the channel says so. A node that takes one item at a time sends its results with
/// the tag of the item. The code of nodes never sees tags.
///
/// Word i belongs to the i-th node around the item that numbers items, where 0 is the outermost:
///
///     word   = number << 2 | last << 1 | punctuation
///     number   number of the input, in the order of arrival; `outside` for items that `start` and `finish` send
///     last     no further item stems from the same input
///     punctuation   (in word 0) the slot holds no item; it only says that its input is finished
///
/// Numbers never decrease along a channel: nodes with one channel into each in-port keep the order
/// of the numbers, and nodes with several channels restore it.
namespace tag {

using word = std::uint64_t;

inline constexpr word punctuation = 1;
inline constexpr word last = 2;
inline constexpr word outside = ~word{0} << 2;

constexpr word numbered(std::uint64_t number) noexcept { return number << 2 | last; }
constexpr std::uint64_t number(word w) noexcept { return w >> 2; }

/// Returns the i-th word of the tag of the item at `item`. The slot may hold no item.
inline word& of(void* item, std::size_t i) noexcept { return *(static_cast<word*>(item) - (i + 1)); }
inline word of(const void* item, std::size_t i) noexcept { return *(static_cast<const word*>(item) - (i + 1)); }

inline bool is_punctuation(const void* item) noexcept { return (of(item, 0) & punctuation) != 0; }

}  // namespace tag

/// Returns the layout of the slots of a channel whose items have tags of `tag_words` words.
inline slot_layout slots_of(const item_type& type, std::size_t tag_words) noexcept {
  const std::size_t alignment = tag_words == 0 ? type.alignment : std::max(type.alignment, alignof(tag::word));
  const auto up = [&](std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
  const std::size_t header = up(tag_words * sizeof(tag::word));
  return {header + up(type.size), alignment, type.destroy, header};
}

}  // namespace weir::detail
