// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace weir {

/// Claimed items that their consumer processes one after the other. `done` destroys an item and
/// marks it as completed. The destructor does the same for the last item, also if an exception ends
/// the scope.
/// @tparam told whether the producer is told of each completed item. If not, it is told of all
/// items at the end (see `basic_channel::internal`).
template <class T, bool told = true>
class claimed_items {
 public:
  claimed_items(std::byte* first, channel& from) noexcept
      : next_(std::launder(reinterpret_cast<T*>(first))), from_(from), index_(from.taken()) {}
  claimed_items(const claimed_items&) = delete;
  claimed_items& operator=(const claimed_items&) = delete;
  ~claimed_items() {
    if (in_hand_) done();
    if constexpr (!told) from_.completed_to(index_ + count_);
    from_.advance(count_);
  }

  T&& take() noexcept {
    in_hand_ = true;
    return std::move(*next_);
  }
  void done() noexcept {
    in_hand_ = false;
    std::destroy_at(next_++);
    ++count_;
    if constexpr (told) from_.completed_to(++index_);
  }
  std::size_t count() const noexcept { return count_; }

 private:
  T* next_;
  channel& from_;
  channel::index index_;
  std::size_t count_ = 0;
  bool in_hand_ = false;
};

/// Claimed slots that their consumer processes one after the other: the consumer moves the item
/// out, destroys it, calls `empty`, and calls `done` to complete the slot. If an exception ends the
/// scope, an item that has not been destroyed stays in its slot.
class claimed_slots {
 public:
  /// @param first address of the item in the first slot
  claimed_slots(std::byte* first, channel& from) noexcept : next_(first), from_(from), index_(from.taken()) {}
  claimed_slots(const claimed_slots&) = delete;
  claimed_slots& operator=(const claimed_slots&) = delete;
  ~claimed_slots() {
    if (emptied_) done();
    from_.advance(count_);
  }

  std::byte* item() const noexcept { return next_; }
  /// Says that the item in the current slot was destroyed.
  void empty() noexcept { emptied_ = true; }
  /// Completes the next `slots` slots.
  void done(std::size_t slots = 1) noexcept {
    emptied_ = false;
    next_ += slots * from_.layout().size;
    count_ += slots;
    from_.completed_to(index_ += slots);
  }
  std::size_t count() const noexcept { return count_; }

 private:
  std::byte* next_;
  channel& from_;
  channel::index index_;
  std::size_t count_ = 0;
  bool emptied_ = false;
};

}  // namespace weir
