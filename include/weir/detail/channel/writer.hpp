// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/channel/cursor.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weir::detail {

template <class Atomics>
class basic_channel;

template <class Atomics>
class basic_writer;

/// The producer's position in a channel (`basic_channel`). The slots from the position on that are
/// granted are free. Only the producer may use it. Its parts are for the channel and for writers;
/// others pass it on.
template <class Atomics>
class alignas(cache_line) basic_write_position {
 public:
  using index = std::uint64_t;

  /// Returns whether a slot is granted.
  bool has_slot() const noexcept { return at_ != granted_end_; }

  /// Returns the address of the item in the next slot, for an item that is constructed before its
  /// writer.
  std::byte* item(std::size_t header) const noexcept { return at_ + header; }

  /// Returns the number of granted slots of `stride` bytes, at most `most`.
  std::size_t room(std::size_t stride, std::size_t most) const noexcept {
    const auto bytes = static_cast<std::size_t>(granted_end_ - at_);
    if (bytes >= most * stride) return most;
    // A division would take as long as several items.
    return std::has_single_bit(stride) ? bytes >> std::countr_zero(stride) : bytes / stride;
  }

  /// Makes this the position in `bytes` bytes of memory that belong to no channel.
  void move_to(std::byte* memory, std::size_t bytes) noexcept {
    at_ = memory;
    granted_end_ = memory + bytes;
  }

  /// Takes back the granted slots.
  void revoke() noexcept { granted_end_ = at_; }

 private:
  friend basic_channel<Atomics>;
  friend basic_writer<Atomics>;

  typename Atomics::template atomic<index> written_{0};
  std::byte* at_ = nullptr;
  std::byte* granted_end_ = nullptr;
  index completed_seen_ = 0;
  std::size_t left_in_segment_ = 0;   // slots from `at_` to the end of the segment
  std::atomic<index> fill_limit_{0};  // maximum number of items written and not completed; other threads only read it
};

/// The way into the granted slots of a channel, one after the other: construct an item at `item()`,
/// then call `done()`. The destructor moves the producer's position on, also if an exception ends
/// the scope. At any time one writer uses a position.
///
/// The consumer can claim an item as soon as it is told of it (`told::each`), or once the writer is
/// destroyed (`told::together`). Publishing is another matter (`basic_channel::publish`).
template <class Atomics>
class basic_writer {
 public:
  using position = basic_write_position<Atomics>;
  using cursor = basic_cursor<Atomics>;

  /// @param header bytes of a slot before the item
  [[gnu::always_inline]] basic_writer(position& to, std::size_t stride, std::size_t header = 0,
                                      told how = told::each) noexcept
      : to_(to),
        cursor_{to.at_ + header, to.written_.load(std::memory_order_relaxed), &to.written_, stride},
        before_(cursor_.number),
        header_(header),
        how_(how) {}
  basic_writer(const basic_writer&) = delete;
  basic_writer& operator=(const basic_writer&) = delete;
  [[gnu::always_inline]] ~basic_writer() {
    if (is_lent_) catch_up();
    const std::size_t count = this->count();
    if (count == 0) return;  // the position may be one without slots that many ports share
    to_.at_ = cursor_.item - header_;
    to_.left_in_segment_ -= count;
    // Pairs with the acquire in claim_written().
    if (how_ == told::together) to_.written_.store(cursor_.number, std::memory_order_release);
  }

  /// Returns whether there is a granted slot.
  bool more() const noexcept { return cursor_.item != to_.granted_end_ + header_; }

  /// Returns the address of the item in the current slot, or in the slot `ahead` slots after it.
  std::byte* item(std::size_t ahead = 0) const noexcept { return cursor_.item + ahead * cursor_.stride; }

  /// Counts the items of the next `slots` slots as written. They must have been constructed.
  [[gnu::always_inline]] void done(std::size_t slots = 1) noexcept {
    cursor_.item += slots * cursor_.stride;
    cursor_.number += slots;
    // Pairs with the acquire in claim_written().
    if (how_ == told::each) cursor_.so_far->store(cursor_.number, std::memory_order_release);
  }

  /// Writes `slots` items that lie one after the other, without headers, by copying their bytes.
  void copy(const std::byte* items, std::size_t slots) noexcept {
    std::memcpy(cursor_.item, items, slots * cursor_.stride);
    done(slots);
  }

  /// Returns the number of slots passed by this writer.
  std::size_t count() const noexcept { return static_cast<std::size_t>(cursor_.number - before_); }

  /// Lends the cursor to code that passes slots by `item_cursor`, until `catch_up`.
  cursor& lend() noexcept {
    is_lent_ = true;
    return cursor_;
  }
  /// Takes the cursor back: from now on `item` and `count` are up to date.
  void catch_up() noexcept {
    is_lent_ = false;
    if (how_ == told::each) cursor_.number = cursor_.so_far->load(std::memory_order_relaxed);
    cursor_.item = to_.at_ + header_ + count() * cursor_.stride;
  }

 private:
  position& to_;
  cursor cursor_;
  const std::uint64_t before_;
  const std::size_t header_;
  const told how_;
  bool is_lent_ = false;
};

using write_position = detail::basic_write_position<native_atomics>;

}  // namespace weir::detail
