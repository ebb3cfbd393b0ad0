// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

namespace weir_bench {

inline void pause_core() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/// Repeats `attempt` until it is true: pauses at first, then yields. All queues use the same
/// waiting, so that only the queues are compared.
template <class Attempt>
void until(Attempt&& attempt) {
  for (int tries = 0; !attempt(); ++tries) {
    if (tries < 64) {
      pause_core();
    } else {
      std::this_thread::yield();
    }
  }
}

/// The same as `until`, for a caller that expects success in the next instant: it looks without a
/// pause, and yields only after many attempts.
template <class Attempt>
void until_soon(Attempt&& attempt) {
  for (int tries = 0; !attempt(); ++tries) {
    if (tries >= 100'000) std::this_thread::yield();
  }
}

}  // namespace weir_bench
