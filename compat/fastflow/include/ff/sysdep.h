// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_SYSDEP_H
#define WEIR_FF_SYSDEP_H

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdlib>

/// Makes what this thread has written before visible before what it writes later.
#ifndef WMB
#define WMB() std::atomic_thread_fence(std::memory_order_release)
#endif

namespace ff {

inline bool isPowerOf2(std::size_t number) { return std::has_single_bit(number); }
/// The smallest power of two that is not less than `number`.
inline std::size_t nextPowerOf2(std::size_t number) { return std::bit_ceil(number); }

/// @return null if there is no memory
inline void* getAlignedMemory(std::size_t alignment, std::size_t size) {
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}
inline void freeAlignedMemory(void* memory) { std::free(memory); }

}  // namespace ff

#endif
