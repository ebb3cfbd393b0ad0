// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_ALLOCATOR_HPP
#define WEIR_FF_ALLOCATOR_HPP

#include <weir/export.hpp>

#include <ff/config.hpp>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <ostream>

namespace ff {

enum { N_SLABBUFFER = 9, MAX_SLABBUFFER_SIZE = 8192 };

/// FastFlow's allocator for memory that one thread takes and others free. Here it is the allocator
/// of the program, which serves all threads: any may call any function.
class WEIR_API ff_allocator {
 public:
  explicit ff_allocator(std::size_t /*most*/ = 0, int /*delayed reclaim*/ = 0) {}
  ff_allocator(const ff_allocator&) = delete;
  ff_allocator& operator=(const ff_allocator&) = delete;
  virtual ~ff_allocator() = default;

  int init(const int* /*slabs*/ = nullptr, bool /*prealloc*/ = true) { return 0; }
  int registerAllocator() { return 0; }
  int deregisterAllocator(bool /*reclaim*/ = true) { return 0; }
  int register4free() { return 0; }
  int deregister4free() { return 0; }

  void* malloc(std::size_t size) { return std::malloc(size); }
  void* calloc(std::size_t count, std::size_t size) { return std::calloc(count, size); }
  void* realloc(void* at, std::size_t size) { return std::realloc(at, size); }
  int posix_memalign(void** to, std::size_t alignment, std::size_t size) {
    return ::posix_memalign(to, alignment, size);
  }
  void free(void* at) { std::free(at); }

  static int getslabs(std::size_t /*size*/) { return 0; }
  void printstats(std::ostream& out = std::cout) {
    out << "the allocator of the program is used, which keeps no statistics here\n";
  }
};

/// The allocator of the whole process.
class FFAllocator : public ff_allocator {
 public:
  static FFAllocator* instance() {
    static FFAllocator one;
    return &one;
  }
  ff_allocator* newAllocator(std::size_t = 0, const int* = nullptr, bool = true) { return new ff_allocator; }
  void deleteAllocator(ff_allocator* which = nullptr) { delete which; }
};

static inline void* ff_malloc(std::size_t size) { return std::malloc(size); }
static inline void* ff_calloc(std::size_t count, std::size_t size) { return std::calloc(count, size); }
static inline void* ff_realloc(void* at, std::size_t size) { return std::realloc(at, size); }
static inline int ff_posix_memalign(void** to, std::size_t alignment, std::size_t size) {
  return ::posix_memalign(to, alignment, size);
}
static inline void ff_free(void* at) { std::free(at); }

using ffa_wrapper = ff_allocator;

/// For containers of the standard library.
template <typename T>
using FF_Allocator = std::allocator<T>;

}  // namespace ff

#endif
