// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_STATICLINKEDLIST_HPP
#define WEIR_FF_STATICLINKEDLIST_HPP

#include <ff/buffer.hpp>
#include <ff/sysdep.h>

namespace ff {

/// A queue of pointers with one producer and one consumer, whose slots FastFlow links.
class staticlinkedlist : public SWSR_Ptr_Buffer {
 public:
  enum { DEFAULT_CACHE_SIZE = 1024 };

  explicit staticlinkedlist(int slots = DEFAULT_CACHE_SIZE, bool /*fillcache*/ = false)
      : SWSR_Ptr_Buffer(static_cast<unsigned long>(slots)) {
    init();
  }
};

}  // namespace ff

#endif
