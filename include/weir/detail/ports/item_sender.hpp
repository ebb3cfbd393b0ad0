// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/producer_side.hpp"
#include "weir/detail/channel/sleepers.hpp"

#include <cstddef>

namespace weir {

/// The part of an out-port that the code of a node uses for each item that it sends. The other part
/// is `out_port`. Only the runner of its activation may use it.
///
/// `acquire` is called before the construction of an item in its slot, `commit` after it. Neither
/// is needed while the cursor has granted slots.
class item_sender {
 public:
  struct place {
    void* slot;
    void* to;  ///< the leaf; or the slots that the port has lent; or null for the spill
  };

  item_sender(const item_sender&) = delete;
  item_sender& operator=(const item_sender&) = delete;

  /// Returns the cursor of the channel that gets the next item without a decision of the policy.
  /// The cursor has no room if the policy must decide.
  producer_side* cursor() noexcept { return cursor_; }

  /// To be called after an item was constructed and counted at the cursor. Calls `hurry_cursor` if
  /// necessary.
  void after_cursor_write() {
    if (sleeping_->any()) [[unlikely]]
      hurry_cursor();
  }
  /// Returns the sleepers to check: while there are any, `hurry_cursor` must be called after each
  /// item written at the cursor.
  const sleepers& sleeping() const noexcept { return *sleeping_; }
  /// Tells the consumer of the item. If the cursor's slots are lent by the port, copies the item to
  /// all consumers.
  void hurry_cursor() noexcept;

  /// Returns a slot for `item`. Only reads the item. @throws stopped
  place acquire(const void* item);

  /// Returns a slot in consumer `index` of the outermost policy. @throws stopped, std::out_of_range
  place acquire(const void* item, std::size_t index);

  /// Same as acquire, but never spills and never waits: returns no slot if there is no room now.
  /// `closed` says whether there will never be room.
  place try_acquire(const void* item, bool& closed);

  /// To be called when the item in `at.slot` is constructed. May wait. @throws stopped
  void commit(place at);

  /// Returns the number of consumers among which the outermost policy distributes items.
  std::size_t width() const noexcept;

 protected:
  item_sender(producer_side* cursor, const sleepers* sleeping) noexcept : cursor_(cursor), sleeping_(sleeping) {}
  ~item_sender() = default;

  producer_side* cursor_;
  const sleepers* sleeping_;
};

}  // namespace weir
