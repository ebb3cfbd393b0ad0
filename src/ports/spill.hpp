// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/item/item_type.hpp"

#include <cstddef>
#include <deque>

namespace weir::detail {

class route;

/// The items of a port for which there was no room, in the order in which they were sent, each with
/// its route. Only the runner of the port's activation may use it. While it holds items, it is
/// counted in `host::spilling`.
class spill {
 public:
  /// @param tag_words number of words in the tags of the items
  /// @param most a sender with at least this many spilled items waits in place
  spill(const item_type& type, std::size_t tag_words, host& owner, std::size_t most);
  ~spill();
  spill(const spill&) = delete;
  spill& operator=(const spill&) = delete;

  bool empty() const noexcept { return count_ == 0; }

  /// Returns a slot for an item that goes to `to`. The item counts once `commit` is called.
  std::byte* add(route& to);
  /// Counts the item in that slot. @return whether the sender must wait in place
  bool commit() noexcept;

  /// Returns the first item, or null if it is a punctuation.
  const void* first() noexcept;
  route& first_route() const noexcept { return *to_.front().to; }

  /// Moves the first item, or the punctuation, with its tag into a slot. Calls `pop` when the item
  /// there is written.
  void move_first(void* slot) noexcept;
  void pop() noexcept;
  /// Destroys the first item instead.
  void drop_first() noexcept;

 private:
  struct waiting {
    route* to;
    std::size_t owned;  // bytes that the item owned when it was spilled
  };

  std::size_t owned_by(const void* item) const noexcept;

  const item_type& type_;
  const std::size_t tag_words_;
  host& owner_;
  const std::size_t most_;
  channel items_;
  std::deque<waiting> to_;
  std::size_t count_ = 0;
  std::size_t owned_ = 0;  // bytes
};

}  // namespace weir::detail
