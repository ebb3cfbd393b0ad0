// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DETAIL_PIECES_HPP
#define WEIR_FF_DETAIL_PIECES_HPP

#include <cstddef>
#include <type_traits>

// The patterns of FastFlow on those of weir. weir's own headers need C++20, and these do not.

namespace ff::detail {

/// Calls `call(of, i)` for each i below `pieces`, on this thread and on idle workers of the pool.
/// @throws the first exception of a call
void run_pieces(std::size_t pieces, void (*call)(void* of, std::size_t piece), void* of);

/// Same as above. Calls `f(i)`.
template <class F>
void run_pieces(std::size_t pieces, F&& f) {
  using function = std::remove_reference_t<F>;
  run_pieces(
      pieces, [](void* of, std::size_t piece) { (*static_cast<function*>(of))(piece); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace ff::detail

#endif
