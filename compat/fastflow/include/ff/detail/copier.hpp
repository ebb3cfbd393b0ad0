// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DETAIL_COPIER_HPP
#define WEIR_FF_DETAIL_COPIER_HPP

#include <ff/node.hpp>

#include <functional>
#include <type_traits>

namespace ff::detail {

/// Makes a copy of a node. Empty if there is no node, or its class can't be copied.
using node_copier = std::function<ff_node*()>;

/// @param node must outlive the result
template <typename T>
node_copier copier_of(const T* node) {
  if constexpr (!std::is_abstract_v<T> && std::is_copy_constructible_v<T>) {
    if (node != nullptr) return [node] { return new T(*node); };
  }
  return {};
}

}  // namespace ff::detail

#endif
