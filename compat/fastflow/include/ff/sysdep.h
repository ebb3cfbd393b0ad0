// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_SYSDEP_H
#define WEIR_FF_SYSDEP_H

#include <atomic>
#include <cstddef>
#include <cstdlib>

/// Makes what this thread has written before visible before what it writes later.
#ifndef WMB
#define WMB() std::atomic_thread_fence(std::memory_order_release)
#endif

namespace ff {

inline bool isPowerOf2(std::size_t number) { return number != 0 && (number & (number - 1)) == 0; }
/// The smallest power of two that is not less than `number`.
inline std::size_t nextPowerOf2(std::size_t number) {
  std::size_t power = 1;
  while (power < number) power *= 2;
  return power;
}

/// @return null if there is no memory
inline void* getAlignedMemory(std::size_t alignment, std::size_t size) {
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}
inline void freeAlignedMemory(void* memory) { std::free(memory); }

}  // namespace ff

#endif
