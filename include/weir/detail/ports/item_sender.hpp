// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/producer_side.hpp"
#include "weir/detail/channel/sleepers.hpp"

#include <cstddef>

namespace weir {

/// The part of an out-port that the code of a node touches for each item it sends; the rest is
/// `out_port`. Runner of its activation only.
///
/// `acquire` and `commit` bracket the construction of an item in its slot; both are left out while
/// the cursor has granted slots.
class item_sender {
 public:
  struct place {
    void* slot;
    void* to;  ///< the leaf, or the slots that the port has lent, or null for the spill
  };

  item_sender(const item_sender&) = delete;
  item_sender& operator=(const item_sender&) = delete;

  /// The cursor of the channel that the next item goes to without asking the policy; has no room if
  /// it must be asked.
  producer_side* cursor() noexcept { return cursor_; }

  /// The cursor's item was constructed and counted; calls `hurry_cursor` if it must.
  void after_cursor_write() {
    if (sleeping_->any()) [[unlikely]]
      hurry_cursor();
  }
  /// While there is anybody, `hurry_cursor` must be called after each item of the cursor.
  const sleepers& sleeping() const noexcept { return *sleeping_; }
  /// Tells the consumer of the item; where the cursor's slots are lent by the port, copies it to
  /// all consumers.
  void hurry_cursor() noexcept;

  /// A slot for `item`, which is only looked at. @throws stopped
  place acquire(const void* item);

  /// A slot in consumer `index` of the outermost policy. @throws stopped, std::out_of_range
  place acquire(const void* item, std::size_t index);

  /// As acquire, but never spills or waits: no slot if there is no room now. `closed` tells whether
  /// there never will be.
  place try_acquire(const void* item, bool& closed);

  /// The item in `at.slot` is constructed. May wait. @throws stopped
  void commit(place at);

  /// The number of consumers the outermost policy shares out among.
  std::size_t width() const noexcept;

 protected:
  item_sender(producer_side* cursor, const sleepers* sleeping) noexcept : cursor_(cursor), sleeping_(sleeping) {}
  ~item_sender() = default;

  producer_side* cursor_;
  const sleepers* sleeping_;
};

}  // namespace weir
