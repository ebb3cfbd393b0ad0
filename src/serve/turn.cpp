// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/serve/turn.hpp"

#include <thread>

namespace weir {
namespace {

constexpr std::size_t patience_most = std::size_t{1} << 16;

}  // namespace

void turn::enter_by_mutex(const void* me) noexcept {
  mutex_.lock();
  if (favourite_.load(std::memory_order_relaxed) != nullptr) {
    favourite_.store(nullptr, std::memory_order_relaxed);
    native_atomics::fence_heavy();                                              // pairs with the light one in enter()
    while (inside_.load(std::memory_order_acquire)) std::this_thread::yield();  // pairs with the release of its guard
    if (patience_ < patience_most) patience_ *= 2;
  }
  if (last_ != me) in_a_row_ = 0;
  last_ = me;
  if (++in_a_row_ >= patience_ && native_atomics::has_fence_heavy()) {
    in_a_row_ = 0;
    favourite_.store(me, std::memory_order_relaxed);
  }
}

}  // namespace weir
