// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DYNQUEUE_HPP
#define WEIR_FF_DYNQUEUE_HPP

#include <ff/ubuffer.hpp>

namespace ff {

/// A list of pointers with one producer and one consumer that grows. Here a `uSWSR_Ptr_Buffer`.
class dynqueue : public uSWSR_Ptr_Buffer {
 public:
  explicit dynqueue(int = 64, bool = false) : uSWSR_Ptr_Buffer(DEFAULT_BUFFER_CAPACITY) { init(); }
};

}  // namespace ff

#endif
