// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/graph/network.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace weir {

template <class Node>
  requires(!std::is_convertible_v<Node, std::unique_ptr<behaviour>>)
void network::replace(std::string_view path, Node with) {
  if constexpr (some_block<Node>) {
    const detail::shape& shape = *with.shape();
    if (shape.what != detail::shape::form::node) {
      throw graph_error(std::string(path), "is one node, but its replacement is a " + shape.label() + "; fuse it");
    }
    replace(path, shape.make(), shape.in, shape.out, shape.plain, shape.traits);
  } else {
    replace(path, node(std::move(with)));
  }
}

}  // namespace weir
