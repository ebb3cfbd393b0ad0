// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weir::detail {

/// Size of a cache line: two objects on different lines of this size never share one. The value is
/// fixed, because clang 16 lacks std::hardware_destructive_interference_size and because the value
/// is part of the memory layout.
inline constexpr std::size_t cache_line = 64;

/// Tells the core that the thread is in a spin loop.
inline void pause_thread() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

class parker;

/// The machine operations of the templates whose objects threads share. The explorer in
/// `tests/explore` replaces them by a model of release/acquire memory with stale reads, so it
/// explores the same code that ships.
struct WEIR_API native_atomics {
  template <class T>
  using atomic = std::atomic<T>;

  /// Plain data that threads share. The explorer fails when two accesses to it race.
  template <class T>
  class plain {
   public:
    explicit plain(T initial = T{}) : value_(std::move(initial)) {}
    const T& get() const noexcept { return value_; }
    T& change() noexcept { return value_; }
    void set(T value) noexcept { value_ = std::move(value); }

   private:
    T value_;
  };

  class mutex;  ///< defined in mutex.hpp, like `lock`, which holds it
  class lock;
  using parker = weir::detail::parker;  ///< defined in parker.hpp

  /// Orders all memory accesses before it with all accesses after it. All full fences have one
  /// total order.
  static void fence_full() noexcept;

  /// The cheap side of an asymmetric pair of fences. It keeps the compiler from reordering and
  /// costs no instruction. It suffices only if the other thread executes `fence_heavy` (see
  /// `basic_sleepers`, which falls back to full fences if the system has no `membarrier`).
  static void fence_light() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

  /// The costly side of the pair: every running thread of this process executes a full fence
  /// between the call and the return of this function. Takes about a microsecond (`membarrier`,
  /// registered before `main`). Without `membarrier` it is a full fence of the calling thread.
  static void fence_heavy() noexcept;

  /// Returns whether `fence_heavy` makes the other threads execute a fence.
  static bool has_fence_heavy() noexcept;

  /// Marks a re-check of a condition. The explorer may drop the re-check as a mutation; this
  /// version always keeps it.
  static constexpr bool keep(const char* /*site*/) noexcept { return true; }

  /// Returns an address that identifies the calling thread while it lives.
  static const void* this_thread() noexcept { return &mark_; }

  /// For loops that wait for another thread without sleeping. `yield` lets other threads have the
  /// core.
  static void pause() noexcept { pause_thread(); }
  static void yield() noexcept;

  /// Sleeps until another thread calls `wake` for `word`, unless `word` differs from `expected`.
  /// May return earlier. Does not miss a call of `wake` that follows a change of `word`.
  static void wait(const atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;
  /// Wakes at most `most` threads. The system promises no order among them.
  static void wake(const atomic<std::uint32_t>& word, std::size_t most) noexcept;

 private:
  static inline thread_local constinit char mark_ = 0;
};

inline void native_atomics::fence_full() noexcept {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  // A locked no-op on the stack is a full fence. It costs about half as much as MFENCE, which
  // compilers emit.
  __asm__ __volatile__("lock; orl $0, -8(%%rsp)" ::: "memory", "cc");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace weir::detail
