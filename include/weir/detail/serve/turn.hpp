// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/mutex.hpp"
#include "weir/export.hpp"

#include <cstddef>
#include <deque>

namespace weir::detail {

/// A mutex for critical sections of some nanoseconds, among any number of threads. It is biased
/// towards one thread, its favourite, and costs almost nothing while the same thread enters again
/// and again. (The idea is that of biased locking: Kawachiya et al., Lock Reservation, OOPSLA
/// 2002.)
///
/// **Who may call what.** Any thread makes a `guard`, but no thread makes two guards of one turn at
/// a time.
///
/// **Invariants.** At most one thread is inside: the favourite, which says so in its record, or the
/// holder of the mutex, which has revoked the favourite before it proceeds. A record belongs to one
/// thread, and only that thread writes `inside`; a thread that learns too late that it is no longer
/// the favourite disturbs no other thread. Only holders of the mutex write `favourite_`, and they
/// make only themselves the favourite. Records live as long as the turn.
///
/// **Why the orders suffice.** The favourite stores `inside` and then loads `favourite_`, with a
/// light fence between. A thread that revokes the favourite stores `favourite_` and then loads
/// `inside`, with a heavy fence between. Therefore either the favourite sees that it is revoked, or
/// the other thread sees it inside, and waits. The writes of the favourite inside are released by
/// its store of `inside` when it leaves, and acquired by the load that waits for that store; all
/// other hand-overs go through the mutex. A thread that becomes the favourite holds the mutex, so
/// all earlier writes are visible to it. If the system has no heavy fence, there are no favourites.
template <class Atomics>
class WEIR_API basic_turn {
 private:
  template <class T>
  using shared = typename Atomics::template atomic<T>;
  template <class T>
  using plain = typename Atomics::template plain<T>;

  struct alignas(cache_line) record {
    explicit record(const void* its_thread) : thread(its_thread) {}

    plain<const void*> thread;
    shared<bool> inside{false};
  };

 public:
  class guard {
   public:
    explicit guard(basic_turn& of) noexcept : turn_(of), favourite_(of.enter()) {}
    guard(const guard&) = delete;
    guard& operator=(const guard&) = delete;
    ~guard() {
      if (favourite_ != nullptr) {
        favourite_->inside.store(false, std::memory_order_release);  // pairs with the acquire in enter_by_mutex()
      } else {
        turn_.mutex_.unlock();
      }
    }

   private:
    basic_turn& turn_;
    record* const favourite_;
  };

  /// @param patience see `patience_`
  explicit basic_turn(std::size_t patience = 64) : patience_(patience) {}
  basic_turn(const basic_turn&) = delete;
  basic_turn& operator=(const basic_turn&) = delete;

 private:
  // @return the caller's record if it is inside as the favourite, else null
  record* enter() noexcept {
    const void* const me = Atomics::this_thread();
    // Acquires the constant part of the record. Pairs with the release in enter_by_mutex().
    record* const favourite = favourite_.load(std::memory_order_acquire);
    if (favourite != nullptr && favourite->thread.get() == me) [[likely]] {
      favourite->inside.store(true, std::memory_order_relaxed);
      Atomics::fence_light();  // pairs with the heavy one in enter_by_mutex()
      if (favourite_.load(std::memory_order_relaxed) == favourite) [[likely]]
        return favourite;
      favourite->inside.store(false, std::memory_order_release);
    }
    enter_by_mutex(me);
    return nullptr;
  }

  void enter_by_mutex(const void* me) noexcept;
  record* record_of(const void* thread) noexcept;

  shared<record*> favourite_{nullptr};

  typename Atomics::mutex mutex_;
  // Guarded by the mutex:
  plain<const void*> last_{nullptr};  // thread that held it last
  std::size_t in_a_row_ = 0;          // number of times in succession
  // Number of times in succession after which a thread becomes the favourite; doubled when a
  // favourite is revoked.
  std::size_t patience_;
  std::deque<record> records_;
};

extern template class basic_turn<native_atomics>;
using turn = basic_turn<native_atomics>;

}  // namespace weir::detail
