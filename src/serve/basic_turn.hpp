// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of `basic_turn`, for turn.cpp and for the explorer.
#include "weir/detail/serve/turn.hpp"

#include <algorithm>
#include <new>

namespace weir::detail {

template <class Atomics>
void basic_turn<Atomics>::enter_by_mutex(const void* me) noexcept {
  constexpr std::size_t patience_most = std::size_t{1} << 16;
  mutex_.lock();
  if (record* const favourite = favourite_.load(std::memory_order_relaxed)) {
    favourite_.store(nullptr, std::memory_order_relaxed);
    Atomics::fence_heavy();                                                      // pairs with the light one in enter()
    while (favourite->inside.load(std::memory_order_acquire)) Atomics::yield();  // pairs with its guard's release
    if (patience_ < patience_most) patience_ *= 2;
  }
  if (last_.get() != me) in_a_row_ = 0;
  last_.set(me);
  if (++in_a_row_ >= patience_ && Atomics::has_fence_heavy()) {
    in_a_row_ = 0;
    favourite_.store(record_of(me), std::memory_order_release);  // pairs with the acquire in enter()
  }
}

// Returns null if there is no memory for a record.
template <class Atomics>
typename basic_turn<Atomics>::record* basic_turn<Atomics>::record_of(const void* thread) noexcept {
  const auto known =
      std::find_if(records_.begin(), records_.end(), [&](const record& r) { return r.thread.get() == thread; });
  if (known != records_.end()) return &*known;
  try {
    return &records_.emplace_back(thread);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace weir::detail
