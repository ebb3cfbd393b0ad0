// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/item_type.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace weir_test {

/// Returns the item after it was encoded and decoded in the same way as the engine does it.
template <class T>
T there_and_back(const T& item) {
  const weir::item_type& type = weir::item_type_of<T>();
  weir::byte_sink bytes;
  type.codec()->encode(&item, bytes);
  const weir::buffer encoded = std::move(bytes).joined();
  weir::byte_source in(encoded);
  alignas(T) std::byte memory[sizeof(T)];
  type.codec()->decode(memory, in);
  EXPECT_EQ(in.left(), 0U);
  T* made = std::launder(reinterpret_cast<T*>(memory));
  T copy = std::move(*made);
  std::destroy_at(made);
  return copy;
}

}  // namespace weir_test
