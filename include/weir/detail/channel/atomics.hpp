// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

namespace weir {

/// Two objects on different lines of this size never share one. Fixed, because clang 16 lacks
/// std::hardware_destructive_interference_size and because it is part of the layout.
inline constexpr std::size_t cache_line = 64;

/// What the lock-free templates of this layer know of the machine. The explorer in `tests/explore`
/// puts a model of release/acquire memory with stale reads in its place, so what is explored is the
/// code that ships.
struct native_atomics {
  template <class T>
  using atomic = std::atomic<T>;

  /// Orders everything before it with everything after it, in one total order with all other full
  /// fences.
  static void fence_full() noexcept;

  /// The cheap side of an asymmetric pair: keeps the compiler from reordering, costs no
  /// instruction. Sufficient only against a partner that executes `fence_heavy` (see
  /// `basic_sleepers`, which falls back to full fences where the system has none).
  static void fence_light() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

  /// The dear side: every running thread of this process executes a full fence somewhere between
  /// the call and its return. About a microsecond (`membarrier`, registered before `main`); a full
  /// fence where that is missing.
  static void fence_heavy() noexcept;

  /// Whether `fence_heavy` really reaches the other threads.
  static bool has_fence_heavy() noexcept;

  /// A re-check that a mutant in the explorer may drop; always kept here.
  static constexpr bool keep(const char* /*site*/) noexcept { return true; }
};

inline void native_atomics::fence_full() noexcept {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  // A locked no-op on the stack is a full fence and about half as dear as MFENCE, which compilers
  // emit.
  __asm__ __volatile__("lock; orl $0, -8(%%rsp)" ::: "memory", "cc");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// Tells the core that this is a spin loop.
inline void pause_thread() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

}  // namespace weir
