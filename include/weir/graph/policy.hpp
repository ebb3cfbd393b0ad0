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

/// A rule for one join. A value; each producer gets a copy of `choose`, with its own state.
struct policy {
  /// `item` points to an item of the joined type; returns a consumer in [0, width).
  using chooser = detail::author_function<std::size_t (*)(void* choose, const void* item, std::size_t width)>;

  distribution kind = distribution::balance;
  std::size_t depth = 1;  ///< on_demand only
  chooser choose;         ///< by_key and custom only
};

using channel_id = std::uint32_t;
inline constexpr channel_id no_channel = std::numeric_limits<channel_id>::max();

/// The policy of an out-port: a tree whose leaves are channels. An inner node shares out among its
/// children.
struct policy_tree {
  policy rule;                        ///< of an inner node
  std::vector<policy_tree> children;  ///< empty in a leaf
  channel_id leaf = no_channel;       ///< in a leaf
  /// In a leaf that leads to a relay (see `relay_broadcasts`) and whose channel is `addressed`:
  /// which consumers the relay gives items to, by their numbers under the outermost rule. The
  /// leaves without such a list are the others, in their order.
  std::vector<std::size_t> stands_for{};

  bool is_leaf() const noexcept { return leaf != no_channel; }
};

}  // namespace weir
