// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_STATICALLOCATOR_HPP
#define WEIR_FF_STATICALLOCATOR_HPP

#include <ff/node.hpp>

#include <cstddef>
#include <new>

namespace ff {

/// FastFlow's allocator for tasks of which there are never more than a channel holds. Channels may
/// hold more here, so it asks the allocator of the program, and never waits. Any thread may call
/// any function.
class StaticAllocator {
 public:
  /// @param slot size of the largest object
  StaticAllocator(std::size_t /*slots*/, std::size_t slot, int /*channels*/ = 1) : slot_(slot) {}
  StaticAllocator(const StaticAllocator&) = delete;
  StaticAllocator& operator=(const StaticAllocator&) = delete;

  int init() { return 0; }

  template <typename T>
  void alloc(T*& object, int /*channel*/ = 0) {
    object = ::new (::operator new(slot_ < sizeof(T) ? sizeof(T) : slot_)) T();
  }
  template <typename T>
  static void dealloc(T* object) {
    object->~T();
    ::operator delete(object);
  }
  /// Makes an object where another one was, which must have had room for it.
  template <typename T, typename S>
  void realloc(T* old, S*& object) {
    old->~T();
    object = ::new (static_cast<void*>(old)) S();
  }

 private:
  const std::size_t slot_;
};

}  // namespace ff

#endif
