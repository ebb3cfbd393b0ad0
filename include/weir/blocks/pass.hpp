// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/export.hpp"

namespace weir {
namespace detail {

/// Marks a node as one that only sends on the items that it takes.
WEIR_API shape_pointer passing(const shape_pointer& node);

}  // namespace detail

/// A node that sends on the items that it takes. It serves as the emitter or collector of a farm,
/// if the author wants one node there: to give it a name or a policy, or to see the number of items
/// that pass in a report. `remove_passing` removes the node again. (F1 §2, Figure 1.)
template <class T>
block<T, T> pass() {
  return block<T, T>(detail::passing(node([](T item) { return item; }).shape()));
}

}  // namespace weir
