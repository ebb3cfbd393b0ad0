// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <cstdint>
#include <optional>

namespace weir {

/// What a notification is about: an activation that waits for the one is not woken by the other.
enum class cause : std::uint32_t { input = 1, room = 2, any = 3 };

/// The state word of an activation: it has at most one runner at any time, and no notification is
/// lost.
///
///            notify                enter                leave (fails if notified)
///   waiting ────────► ready ───────────────► running ─────────────────────────► waiting
///                       ▲                       │
///                       └──────── yield ────────┘   notify turns running into notified
///
/// **Who may call what.** `notify` anybody. `enter` whoever took the activation from where its
/// notifier (the one to whom `notify` returned true) put it. `leave`, `yield`, `end` its runner.
///
/// **Invariant.** Between `enter` and `leave`, `yield` or `end` there is one runner; each hand-over
/// is a release of the word by the old runner and an acquire by the new one, so whatever the runner
/// keeps (the cached indices of its channels) migrates with the word.
///
/// **No lost wake-up.** The notifier makes its news visible (an index of a channel), executes a
/// full fence, and loads the word. The runner stores `running` (`enter`, a failed `leave`),
/// executes a full fence, and then looks for news. Of the two, at least one sees the other (store
/// buffering with full fences on both sides): either the look finds the news, or the notifier finds
/// `running` (or later) and marks it, so that `leave` fails and the runner looks again. If the
/// notifier sees `ready` or `notified` it may do nothing, because the runner's next fence and look
/// are still to come.
template <class Atomics>
class basic_readiness {
 public:
  enum state : std::uint32_t { waiting_input, waiting_room, ready, running, notified, ended };

  /// An activation starts out ready; whoever creates it puts it where a runner finds it.
  explicit basic_readiness(state initial = ready) noexcept : word_(initial) {}

  /// Call after a full fence that follows the news.
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
  /// @return false if a notification came since it looked for news: still running, look again.
  /// After true the caller must not touch what belongs to the runner.
  bool leave(cause why) noexcept {
    std::uint32_t seen = running;
    const state next = why == cause::room ? waiting_room : waiting_input;
    const bool left = word_.compare_exchange_strong(seen, next, std::memory_order_release, std::memory_order_relaxed);
    if (!left) enter();
    return left;
  }

  /// Stops running without waiting; the caller hands it to a runner again.
  void yield() noexcept { word_.store(ready, std::memory_order_release); }

  void end() noexcept { word_.store(ended, std::memory_order_release); }

  /// A hint: whether a notification for `why` would make it ready.
  bool waits_for(cause why) const noexcept {
    const std::uint32_t seen = word_.load(std::memory_order_relaxed);
    return seen == (why == cause::room ? waiting_room : waiting_input);
  }
  bool waits() const noexcept { return word_.load(std::memory_order_relaxed) <= waiting_room; }
  /// What it waits for, if it waits, as of this moment: no store of the past is still to come here.
  /// Costs a write of the word.
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

}  // namespace weir
