// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"

namespace weir {
namespace detail {

/// A node that is known to send on what it takes.
shape_pointer passing(const shape_pointer& node);

}  // namespace detail

/// A node that sends on what it takes: the emitter or collector of a farm whose author wants one
/// node there, to name it, to give it a policy, or to see in a report what goes through it.
/// `remove_passing` takes it out again. (F1 §2, Figure 1.)
template <class T>
block<T, T> pass() {
  return block<T, T>(detail::passing(node([](T item) { return item; }).shape()));
}

}  // namespace weir
