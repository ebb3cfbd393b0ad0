// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/erased.hpp"
#include "weir/graph/distribution.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace weir {

/// A distribution rule with its parameters. It is a value: each producer gets its own copy of
/// `choose`, with its own state.
struct policy {
  /// `item` points to an item of the type of the channel. The function returns the number of a
  /// consumer in [0, width).
  using chooser = detail::author_function<std::size_t (*)(void* choose, const void* item, std::size_t width)>;

  distribution kind = distribution::balance;
  std::size_t depth = 1;  ///< on_demand only
  chooser choose;         ///< by_key and custom only
};

/// Number of a channel in a graph, from 0; `no_channel` stands for none.
using channel_id = std::uint32_t;
inline constexpr channel_id no_channel = std::numeric_limits<channel_id>::max();

/// The policy of an out-port: a tree whose leaves are channels. An inner node distributes items
/// among its children.
struct policy_tree {
  policy rule;                        ///< rule of an inner node
  std::vector<policy_tree> children;  ///< empty in a leaf
  channel_id leaf = no_channel;       ///< channel of a leaf
  /// For a leaf whose channel is `addressed` and leads to a relay (see `relay_broadcasts`): the
  /// consumers that the relay gives items to, by their numbers under the outermost rule. The leaves
  /// without this list are the remaining consumers, in their order.
  std::vector<std::size_t> stands_for{};

  bool is_leaf() const noexcept { return leaf != no_channel; }
};

}  // namespace weir
