// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <cstddef>
#include <cstdint>

namespace weir::detail {

/// The time at which the other side of a channel is told of slots that were passed. Telling is a
/// release of the items, or of the free slots, below the index.
enum class told : std::uint8_t {
  each,      ///< of each slot at once
  together,  ///< of all slots at the end: for sides that take turns on one thread, and for batches
  later,     ///< not by the reader: its caller completes the slots by `basic_channel::completed_to`
};

/// A place in consecutive slots. Code that knows the item type moves through the slots by
/// `item_cursor`; a `basic_reader` or `basic_writer` keeps the place up to date in the channel.
template <class Atomics>
struct basic_cursor {
  using index = std::uint64_t;

  // In this order no two numbers are neighbours. Compilers would load two neighbouring numbers as
  // one, and the load would wait for both preceding stores.
  std::byte* item;                                   ///< address of the item in the current slot
  index number;                                      ///< index of the current slot
  typename Atomics::template atomic<index>* so_far;  ///< index that the other side reads
  std::size_t stride;                                ///< distance from one slot to the next in bytes

  /// Passes the current slot, and tells the other side.
  void pass() noexcept {
    item += stride;
    so_far->store(++number, std::memory_order_release);  // pairs with the acquires in grant() and claim_written()
  }
};

/// Moves a cursor through slots of `T`, in registers.
/// @tparam is_told whether the other side is told of each slot. If not, the slots lie `sizeof(T)`
/// bytes apart, and the destructor stores the index in the cursor.
template <class T, bool is_told, class Atomics = native_atomics>
class item_cursor {
 public:
  [[gnu::always_inline]] explicit item_cursor(basic_cursor<Atomics>& at) noexcept
      : at_(at), item_(at.item), so_far_(at.so_far), stride_(is_told ? at.stride : sizeof(T)), number_(at.number) {}
  item_cursor(const item_cursor&) = delete;
  item_cursor& operator=(const item_cursor&) = delete;
  ~item_cursor() = default;
  [[gnu::always_inline]] ~item_cursor()
    requires(!is_told)
  {
    at_.number = number_;
  }

  [[gnu::always_inline]] void* slot() const noexcept { return item_; }
  [[gnu::always_inline]] T& item() const noexcept { return *reinterpret_cast<T*>(item_); }
  [[gnu::always_inline]] std::uint64_t number() const noexcept { return number_; }

  /// Passes the current slot, in which an item was constructed or destroyed.
  [[gnu::always_inline]] void done() noexcept {
    item_ += stride_;
    ++number_;
    // Pairs with the acquires in grant() and claim_written().
    if constexpr (is_told) so_far_->store(number_, std::memory_order_release);
  }

 private:
  basic_cursor<Atomics>& at_;
  std::byte* item_;
  typename Atomics::template atomic<std::uint64_t>* const so_far_;
  const std::size_t stride_;
  std::uint64_t number_;
};

using cursor = basic_cursor<native_atomics>;

}  // namespace weir::detail
