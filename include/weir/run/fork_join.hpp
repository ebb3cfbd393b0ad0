// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/function_view.hpp"

#include <cstddef>
#include <stop_token>

namespace weir {

/// What `fork_join` calls: `(piece, worker)`.
using piece_function = function_view<void(std::size_t, std::size_t)>;

/// The most threads that take part in a `fork_join` which this thread begins, itself among them:
/// the workers of the pool it belongs to, or of the process-wide pool.
std::size_t concurrency() noexcept;

/// Calls `f(piece, worker)` for every piece in [0, pieces), each once, on this thread and on
/// workers of the pool that have nothing better to do; returns when all calls have returned.
/// `worker` is below `concurrency()`, is 0 on this thread, and no two calls of one join run at a
/// time with the same.
///
/// May be called from any thread, also within a node's `process` and within a piece, where the
/// threads are the same ones: a nested join starts none. A thread that waits for the last pieces of
/// a join runs no other work meanwhile, so the stack holds one join a level. Pieces are handed out
/// in the order of their numbers. They must not wait for each other unless there are at most
/// `concurrency()` of them and nothing else runs: there may be no other worker to spare.
///
/// Cost: about a microsecond when workers are awake; a wake-up each when they sleep.
/// @throws what a piece threw, the first of them, after the pieces under way have returned; the
/// others are not begun. In a node of a run that is cancelled or has failed: `stopped`
void fork_join(std::size_t pieces, piece_function f);

/// Within a piece: whether its join is going to throw, because a piece has thrown or the run around
/// it was cancelled or has failed. A piece that goes on for long looks now and then, and throws
/// `stopped`. False outside.
bool join_fails() noexcept;

/// In a node, or in a piece of a join within one: requested when its run is cancelled or fails.
/// Elsewhere a token that never is. For functions that wait inside nodes and have no `context`.
std::stop_token stop_token_around() noexcept;

}  // namespace weir
