// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weir {

/// The producer's cursor in a channel (`basic_channel`): the slots in [at, limit) are free and
/// granted. Only the producer may use it, except for `written` and `window`.
template <class Atomics>
struct alignas(cache_line) basic_producer_side {
  using index = std::uint64_t;

  typename Atomics::template atomic<index> written{0};
  std::byte* at = nullptr;
  std::byte* limit = nullptr;
  index completed_seen = 0;
  std::size_t left_in_segment = 0;  ///< slots from `at` to the end of the segment
  std::atomic<index> window{0};     ///< maximum number of items written and not completed; other threads only read it

  /// Returns the number of granted slots of `size` bytes, at most `most`.
  std::size_t room(std::size_t size, std::size_t most) const noexcept {
    const auto bytes = static_cast<std::size_t>(limit - at);
    if (bytes >= most * size) return most;
    // A division would take as long as several items.
    return std::has_single_bit(size) ? bytes >> std::countr_zero(size) : bytes / size;
  }

  /// Counts the `count` items of `size` bytes just constructed from `at` on as written.
  void commit(std::size_t size, std::size_t count = 1) noexcept {
    at += count * size;
    left_in_segment -= count;
    // Pairs with the acquire in claim_written().
    written.store(written.load(std::memory_order_relaxed) + count, std::memory_order_release);
  }
};

using producer_side = basic_producer_side<native_atomics>;

}  // namespace weir
