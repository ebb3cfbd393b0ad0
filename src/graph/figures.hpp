// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/dot.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

/// One node of the picture: a node of the graph, or all members of a farm that is too wide.
struct figure {
  std::string id;
  std::vector<const drawing::node*> nodes;

  /// Returns the path of the outermost farm, in whose box the figure is drawn. Empty if there is
  /// none.
  std::string box() const;
};

/// The channels that one arrow represents.
using flow = std::vector<const drawing::channel*>;

/// Channels of one kind that join each figure of `from` with each figure of `to`.
struct bundle {
  std::set<std::size_t> from;                          // figures
  std::set<std::pair<std::size_t, std::uint32_t>> to;  // figures and their in-ports
  flow all;
  bool says_kind = false;  // whether it is labelled with its kind

  bool has_joint() const { return from.size() * to.size() > 1; }
  bool goes_back() const { return !all.front()->loop.empty(); }
  std::set<std::size_t> to_figures() const;
  std::set<std::size_t> ends() const;  // figures of both sides
};

/// A drawing as figures and bundles between them. It refers to the drawing, which must outlive it.
struct figures {
  explicit figures(const drawing& d);

  std::vector<figure> all;
  std::vector<std::size_t> of_node;
  std::vector<bundle> bundles;

 private:
  void collect_bundles(const drawing& d);
};

}  // namespace weir::detail
