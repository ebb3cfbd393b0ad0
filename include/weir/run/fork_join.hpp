// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace weir {

/// A reference to what `fork_join` calls: `(piece, worker)`. Like a pointer, it does not keep its callable alive.
class piece_function {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, piece_function> &&
             std::is_invocable_v<F&, std::size_t, std::size_t>)
  piece_function(F&& f) noexcept
      : object_(const_cast<void*>(static_cast<const volatile void*>(std::addressof(f)))),
        call_([](void* object, std::size_t piece, std::size_t worker) {
          (*static_cast<std::remove_reference_t<F>*>(object))(piece, worker);
        }) {}

  void operator()(std::size_t piece, std::size_t worker) const { call_(object_, piece, worker); }

 private:
  void* object_;
  void (*call_)(void*, std::size_t, std::size_t);
};

/// The most threads that take part in a `fork_join` which this thread begins, itself among them: the workers of the pool it
/// belongs to, or of the process-wide pool.
std::size_t concurrency() noexcept;

/// Calls `f(piece, worker)` for every piece in [0, pieces), each once, on this thread and on workers of the pool that have
/// nothing better to do; returns when all calls have returned. `worker` is below `concurrency()`, is 0 on this thread, and no
/// two calls of one join run at a time with the same.
///
/// May be called from any thread, also within a node's `process` and within a piece, where the threads are the same ones: a
/// nested join starts none. A thread that waits for the last pieces of a join runs no other work meanwhile, so the stack holds
/// one join a level. Pieces are handed out in the order of their numbers. They must not wait for each other unless there are at
/// most `concurrency()` of them and nothing else runs: there may be no other worker to spare.
///
/// Cost: a few hundred nanoseconds when workers are awake; a wake-up each when they sleep.
/// @throws what a piece threw, the first of them, after the pieces under way have returned; the others are not begun. In a node
///   of a run that is cancelled or has failed: `stopped`
void fork_join(std::size_t pieces, piece_function f);

/// Within a piece: whether its join is going to throw, because a piece has thrown or the run around it was cancelled or has
/// failed. A piece that goes on for long looks now and then, and throws `stopped`. False outside.
bool join_fails() noexcept;

}  // namespace weir
