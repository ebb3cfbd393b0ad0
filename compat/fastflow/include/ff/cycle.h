// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_CYCLE_H
#define WEIR_FF_CYCLE_H

#include <ctime>

typedef unsigned long long ticks;

/// A clock of the processor, or nanoseconds where there is none that programs may read.
static inline ticks getticks() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();  // its header takes long to compile
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<ticks>(now.tv_sec) * 1000000000ULL + static_cast<ticks>(now.tv_nsec);
#endif
}

/// Returns the number of ticks from `t0` to `t1`.
static inline double elapsed(ticks t1, ticks t0) { return static_cast<double>(t1) - static_cast<double>(t0); }

/// Computes for `count` ticks.
static inline ticks ticks_wait(ticks count) {
  const ticks began = getticks();
  ticks passed = 0;
  do {
    passed = getticks() - began;
  } while (passed < count);
  return passed - count;
}

namespace ff {
using ::ticks_wait;
}  // namespace ff

#endif
