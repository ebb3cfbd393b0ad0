// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace weir {

/// Claimed items in the hands of their consumer, one after the other: each is destroyed and
/// completed when the next one is asked for, the last at the end of the scope, also when an
/// exception ends it.
/// @tparam told whether the producer is told of each; else of all at the end (see
/// `basic_channel::internal`)
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

/// Claimed slots in the hands of their consumer, who moves the items out, destroys them, says so,
/// and completes them, one after the other. Where an exception ends the scope, an item that was not
/// destroyed yet stays in its slot.
class claimed_slots {
 public:
  /// @param first where the item of the first slot lies
  claimed_slots(std::byte* first, channel& from) noexcept : next_(first), from_(from), index_(from.taken()) {}
  claimed_slots(const claimed_slots&) = delete;
  claimed_slots& operator=(const claimed_slots&) = delete;
  ~claimed_slots() {
    if (emptied_) done();
    from_.advance(count_);
  }

  std::byte* item() const noexcept { return next_; }
  /// The item was destroyed.
  void empty() noexcept { emptied_ = true; }
  /// As many of the next slots are done with.
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
