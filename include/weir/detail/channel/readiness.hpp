// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <cstdint>
#include <optional>

namespace weir::detail {

/// The subject of a notification. It does not wake an activation that waits for the other cause.
enum class cause : std::uint32_t { input = 1, room = 2, any = 3 };

/// The state word of an activation. It guarantees that the activation has at most one runner at any
/// time and that no notification is lost.
///
///            notify                enter                leave (fails if notified)
///   waiting ────────► ready ───────────────► running ─────────────────────────► waiting
///                       ▲                       │
///                       └──────── yield ────────┘   notify turns running into notified
///
/// **Callers.** Any thread calls `notify`. If `notify` returns true, the caller must hand the
/// activation to a runner, and that runner calls `enter`. The runner calls `leave`, `yield` and
/// `end`.
///
/// **Invariant.** Between `enter` and `leave`, `yield` or `end` there is one runner. At each
/// hand-over the old runner releases the word and the new runner acquires it, so the private data
/// of the runner (the cached indices of its channels) moves with the word.
///
/// **No lost wake-up.** The notifier makes its news visible (an index of a channel), executes a
/// full fence, and loads the word. The runner stores `running` (in `enter`, or in a `leave` that
/// fails), executes a full fence, and then looks for news. At least one of the two sees the store
/// of the other (store buffering with full fences on both sides): either the runner finds the news,
/// or the notifier finds `running` (or a later state) and marks it, so that `leave` fails and the
/// runner looks again. If the notifier sees `ready` or `notified`, it need not act, because the
/// runner's next fence and look are still to come.
template <class Atomics>
class basic_readiness {
 public:
  enum state : std::uint32_t { waiting_input, waiting_room, ready, running, notified, ended };

  /// An activation is ready at first. Its creator must hand it to a runner.
  explicit basic_readiness(state initial = ready) noexcept : word_(initial) {}

  /// Must be called after a full fence that follows the news.
  /// @return true if the caller must now hand the activation to a runner
  bool notify(cause why) noexcept {
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      std::uint32_t next;
      switch (seen) {
        case waiting_input:
          if ((static_cast<std::uint32_t>(why) & static_cast<std::uint32_t>(cause::input)) == 0) return false;
          next = ready;
          break;
        case waiting_room:
          if ((static_cast<std::uint32_t>(why) & static_cast<std::uint32_t>(cause::room)) == 0) return false;
          next = ready;
          break;
        case running: next = notified; break;
        default: return false;
      }
      // Acquire and release: the notifier becomes part of the hand-over from the old runner to the
      // new one.
      if (word_.compare_exchange_weak(seen, next, std::memory_order_acq_rel, std::memory_order_relaxed)) {
        return next == ready;
      }
    }
  }

  void enter() noexcept {
    word_.exchange(running, std::memory_order_acquire);
    Atomics::fence_full();
  }

  /// Stops running in order to wait for `why`.
  /// @return false if a notification has come since the runner looked for news: the activation is
  /// still running, and the runner must look again. After true the caller must not access data of
  /// the runner.
  bool leave(cause why) noexcept {
    std::uint32_t seen = running;
    const state next = why == cause::room ? waiting_room : waiting_input;
    const bool left = word_.compare_exchange_strong(seen, next, std::memory_order_release, std::memory_order_relaxed);
    if (!left) enter();
    return left;
  }

  /// Stops running without waiting. The caller must hand the activation to a runner again.
  void yield() noexcept { word_.store(ready, std::memory_order_release); }

  void end() noexcept { word_.store(ended, std::memory_order_release); }

  /// Returns, as a hint, whether a notification for `why` would make the activation ready.
  bool waits_for(cause why) const noexcept {
    const std::uint32_t seen = word_.load(std::memory_order_relaxed);
    return seen == (why == cause::room ? waiting_room : waiting_input);
  }
  bool waits() const noexcept { return word_.load(std::memory_order_relaxed) <= waiting_room; }
  /// Returns the cause that the activation waits for, if it waits at this moment: no earlier store
  /// to the word can become visible later. Costs a write of the word.
  std::optional<cause> waiting_now() noexcept {
    const std::uint32_t seen = word_.fetch_add(0, std::memory_order_acq_rel);
    if (seen == waiting_input) return cause::input;
    if (seen == waiting_room) return cause::room;
    return std::nullopt;
  }
  bool has_ended() const noexcept { return word_.load(std::memory_order_acquire) == ended; }

 private:
  typename Atomics::template atomic<std::uint32_t> word_;
};

using readiness = basic_readiness<native_atomics>;

}  // namespace weir::detail
