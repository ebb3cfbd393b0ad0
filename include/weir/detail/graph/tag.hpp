// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/item/item_type.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weir {

/// The tag of an item: words that lie in front of it in its slot and travel with it, where the
/// channel's description says so. A node that takes one item at a time gives what it sends the tag
/// of what it took. Nodes never see tags.
///
/// Word i belongs to the i-th numbering around the item, 0 the outermost:
///
///     word   = number << 2 | last << 1 | marker
///     number   of the input, in the order in which inputs came; `outside` for what `start` and `finish` send
///     last     nothing follows that stems from the same input
///     marker   (in word 0) the slot holds no item; it only says that its input is done with
///
/// Numbers never decrease along a channel: nodes with one channel into each in-port keep their
/// order, and those with more bring it about.
namespace tag {

using word = std::uint64_t;

inline constexpr word marker = 1;
inline constexpr word last = 2;
inline constexpr word outside = ~word{0} << 2;

constexpr word numbered(std::uint64_t number) noexcept { return number << 2 | last; }
constexpr std::uint64_t number(word w) noexcept { return w >> 2; }

/// The i-th word of the item that lies, or would lie, at `item`.
inline word& of(void* item, std::size_t i) noexcept { return *(static_cast<word*>(item) - (i + 1)); }
inline word of(const void* item, std::size_t i) noexcept { return *(static_cast<const word*>(item) - (i + 1)); }

inline bool is_marker(const void* item) noexcept { return (of(item, 0) & marker) != 0; }

}  // namespace tag

/// The slots of a channel of items with tags of `words` words.
inline slot_layout slots_of(const item_type& type, std::size_t words) noexcept {
  const std::size_t alignment = words == 0 ? type.alignment : std::max(type.alignment, alignof(tag::word));
  const auto up = [&](std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
  const std::size_t header = up(words * sizeof(tag::word));
  return {header + up(type.size), alignment, type.destroy, header};
}

}  // namespace weir
