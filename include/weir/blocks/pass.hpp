// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"

namespace weir {

/// A node that sends on what it takes: the emitter or collector of a farm whose author wants one node there, to name it, to give it
/// a policy, or to see in a report what goes through it. `remove_passing` takes it out again. (F1 §2, Figure 1.)
template <class T>
block<T, T> pass() {
  const auto identity = node([](T item) { return item; });
  return block<T, T>(detail::with(identity.shape(), [](detail::shape& s) {
    s.kind = "pass";
    s.passes_on = true;
  }));
}

}  // namespace weir
