// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DETAIL_PIECES_HPP
#define WEIR_FF_DETAIL_PIECES_HPP

#include <weir/export.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

// The patterns of FastFlow on those of weir. weir's own headers need C++20, and these do not.

namespace ff::detail {

/// Looks after loops whose workers may wait for each other. Any thread may use it.
class loop_watch;
WEIR_API std::shared_ptr<loop_watch> make_loop_watch();

/// Calls `call(of, i)` for each i below `pieces`, on this thread and on idle workers of the pool.
/// If there are more pieces than these threads, and no piece begins or ends for some milliseconds,
/// the pieces that are left get threads of their own.
/// @param watch null: they get none
/// @throws the first exception of a call
WEIR_API void run_pieces(std::size_t pieces, loop_watch* watch, void (*call)(void* of, std::size_t piece), void* of);

/// Same as above. Calls `f(i)`.
template <class F>
void run_pieces(std::size_t pieces, loop_watch* watch, F&& f) {
  using function = std::remove_reference_t<F>;
  run_pieces(
      pieces, watch, [](void* of, std::size_t piece) { (*static_cast<function*>(of))(piece); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace ff::detail

#endif
