// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/function_view.hpp"
#include "weir/export.hpp"

#include <cstddef>
#include <stop_token>

namespace weir {

/// Function that `fork_join` calls: `(piece, worker)`.
using piece_function = detail::function_view<void(std::size_t, std::size_t)>;

/// Returns the largest number of threads that take part in a `fork_join` begun by this thread,
/// itself included: the workers of the pool it belongs to, or of the process-wide pool.
WEIR_API std::size_t concurrency() noexcept;

/// Calls `f(piece, worker)` once for every piece in [0, pieces), on this thread and on idle workers
/// of the pool. Returns when all calls have returned. `worker` is below `concurrency()`, is 0 on
/// this thread, and no two calls of one join run at the same time with the same `worker`.
///
/// May be called from any thread, also within a node's `process` and within a piece. A nested join
/// uses the same threads and starts none. A thread that waits for the last pieces of a join runs no
/// other work meanwhile, so the stack holds one join for each level of nesting. Pieces are handed
/// out in the order of their numbers. They must not wait for each other, unless there are at most
/// `concurrency()` of them and nothing else runs, because no other worker may be free.
///
/// Cost: about a microsecond when workers are awake; a wake-up for each worker when they sleep.
/// @throws the first exception of a piece, after the pieces that have begun have returned; the
/// other pieces don't begin. In a node of a run that is cancelled or has failed: `stopped`
WEIR_API void fork_join(std::size_t pieces, piece_function f);

/// Returns, within a piece, whether its join is going to throw, because a piece has thrown or the
/// surrounding run was cancelled or has failed. A long piece calls this function now and then, and
/// throws `stopped` if it returns true. Returns false outside a piece.
WEIR_API bool join_fails() noexcept;

/// Returns, in a node or in a piece of a join within a node, a token whose stop is requested when
/// the run is cancelled or fails. Elsewhere returns a token whose stop is never requested. For
/// functions that wait inside nodes and have no `context`.
WEIR_API std::stop_token stop_token_around() noexcept;

}  // namespace weir
