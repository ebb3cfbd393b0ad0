// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/graph/network.hpp"

#include <string_view>
#include <utility>

namespace weir {
namespace detail {

void replace(network& net, std::string_view path, const shape_pointer& with);

}  // namespace detail

template <class Node>
void network::replace(std::string_view path, Node with) {
  if constexpr (some_block<Node>) {
    detail::replace(*this, path, with.shape());
  } else {
    detail::replace(*this, path, node(std::move(with)).shape());
  }
}

}  // namespace weir
