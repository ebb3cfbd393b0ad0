// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/export.hpp"
#include "weir/graph/network.hpp"

#include <string_view>
#include <utility>

namespace weir {
namespace detail {

WEIR_API void replace(network& net, std::string_view path, const shape_pointer& with);

}  // namespace detail

/// Does what `network::replace` says, which finds it by the namespace of its first argument.
template <class Node>
void replace_node(network& net, std::string_view path, Node with) {
  if constexpr (some_block<Node>) {
    detail::replace(net, path, with.shape());
  } else {
    detail::replace(net, path, node(std::move(with)).shape());
  }
}

}  // namespace weir
