// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/channel/cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace weir::detail {

template <class Atomics>
class basic_channel;

template <class Atomics>
class basic_reader;

/// The consumer's position in a channel (`basic_channel`). Only the consumer may use it, except for
/// `completed_` and `noted_`.
template <class Atomics>
class basic_read_position {
 private:
  using index = std::uint64_t;
  friend basic_channel<Atomics>;
  friend basic_reader<Atomics>;

  typename Atomics::template atomic<index> completed_{0};
  typename Atomics::template atomic<index> noted_{0};
  index taken_ = 0;  // equals `completed_`, unless the consumer completes items later than it takes them
  index seen_ = 0;
  std::byte* at_ = nullptr;
  std::size_t left_in_segment_ = 0;  // slots from `at_` to the end of the segment
};

/// The way out of claimed slots of a channel, one after the other: move the item at `item()` out
/// and destroy it, then call `done()`. The destructor moves the consumer's position on, also if an
/// exception ends the scope. An item that has not been destroyed then stays in its slot. At any
/// time one reader uses a channel.
///
/// The producer may use a slot again as soon as it is told of it (`told::each`), or once the reader
/// is destroyed (`told::together`), or when the caller completes it (`told::later`).
template <class Atomics>
class basic_reader {
 public:
  using position = basic_read_position<Atomics>;
  using cursor = basic_cursor<Atomics>;

  /// @param most number of claimed slots to pass
  /// @param header bytes of a slot before the item
  [[gnu::always_inline]] basic_reader(position& from, std::size_t most, std::size_t stride, std::size_t header,
                                      told how) noexcept
      : from_(from),
        cursor_{from.at_ + header, from.taken_, &from.completed_, stride},
        before_(cursor_.number),
        end_(before_ + most),
        header_(header),
        how_(how) {}
  /// Reads the next `most` claimed slots of a channel.
  [[gnu::always_inline]] basic_reader(basic_channel<Atomics>& from, std::size_t most, told how = told::each) noexcept
      : basic_reader(from.read_, most, from.layout_.size, from.layout_.header, how) {}
  basic_reader(const basic_reader&) = delete;
  basic_reader& operator=(const basic_reader&) = delete;
  [[gnu::always_inline]] ~basic_reader() {
    if (is_lent_) catch_up();
    if (is_emptied_) done();
    const std::size_t count = this->count();
    from_.taken_ = cursor_.number;
    from_.at_ = cursor_.item - header_;
    from_.left_in_segment_ -= count;
    // Pairs with the acquire in grant().
    if (how_ == told::together) from_.completed_.store(cursor_.number, std::memory_order_release);
  }

  /// Returns whether there is a further slot.
  bool more() const noexcept { return cursor_.number != end_; }
  /// Returns the number of slots that are left.
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - cursor_.number); }

  /// Returns the address of the item in the current slot, or in the slot `ahead` slots after it.
  std::byte* item(std::size_t ahead = 0) const noexcept { return cursor_.item + ahead * cursor_.stride; }

  /// Says that the item in the current slot was destroyed, although the slot is not done yet: its
  /// producer is told when the results of the item are sent, or in the destructor.
  void emptied() noexcept { is_emptied_ = true; }

  /// Passes the next `slots` slots, whose items were destroyed.
  [[gnu::always_inline]] void done(std::size_t slots = 1) noexcept {
    is_emptied_ = false;
    cursor_.item += slots * cursor_.stride;
    cursor_.number += slots;
    // Pairs with the acquire in grant().
    if (how_ == told::each) cursor_.so_far->store(cursor_.number, std::memory_order_release);
  }

  /// Passes the item in the current slot to `take(T&&)`, destroys it, and passes the slot, also if
  /// `take` throws.
  template <class T, class Take>
  [[gnu::always_inline]] void take(Take&& take) {
    T& item = *std::launder(reinterpret_cast<T*>(cursor_.item));
    const struct ending {
      basic_reader& reader;
      T& item;
      ~ending() {
        std::destroy_at(&item);
        reader.done();
      }
    } in_the_end{*this, item};
    std::forward<Take>(take)(std::move(item));
  }

  /// Returns the number of slots passed by this reader.
  std::size_t count() const noexcept { return static_cast<std::size_t>(cursor_.number - before_); }

  /// Lends the cursor to code that passes slots by `item_cursor`, until `catch_up`.
  cursor& lend() noexcept {
    is_lent_ = true;
    return cursor_;
  }
  /// Takes the cursor back: from now on `item`, `more` and `count` are up to date.
  void catch_up() noexcept {
    is_lent_ = false;
    if (how_ == told::each) cursor_.number = cursor_.so_far->load(std::memory_order_relaxed);
    cursor_.item = from_.at_ + header_ + count() * cursor_.stride;
  }

 private:
  position& from_;
  cursor cursor_;
  const std::uint64_t before_;
  const std::uint64_t end_;
  const std::size_t header_;
  const told how_;
  bool is_emptied_ = false;
  bool is_lent_ = false;
};

}  // namespace weir::detail
