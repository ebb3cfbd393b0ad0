// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// Why a channel did not take an item.
enum class refusal {
  full,    ///< no room now; the consumer may make some
  closed,  ///< the consumer has gone; there will never be room
};

/// An item that was not taken, given back, and why.
template <class T>
struct refused {
  T item;
  refusal why;
};

}  // namespace weir
