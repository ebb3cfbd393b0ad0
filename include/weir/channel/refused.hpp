// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// Reason why a channel did not take an item.
enum class refusal {
  full,    ///< no room now; the consumer may make room later
  closed,  ///< the consumer has ended; there will never be room again
};

/// An item that a channel refused and returned, with the reason.
template <class T>
struct refused {
  T item;
  refusal why;
};

}  // namespace weir
