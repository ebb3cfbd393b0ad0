// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/sleepers.hpp"
#include "weir/detail/channel/writer.hpp"
#include "weir/export.hpp"

#include <cstddef>

namespace weir::detail {

/// The part of an out-port that the code of a node uses for each item that it sends. The other part
/// is `out_port`. Only the runner of its activation may use it.
///
/// `acquire` is called before the construction of an item in its slot, `commit` after it. Neither
/// is needed while the position has granted slots.
class WEIR_API item_sender {
 public:
  struct place {
    void* slot;
    void* to;  ///< the leaf; or the slots that the port has lent; or null for the spill
  };

  item_sender(const item_sender&) = delete;
  item_sender& operator=(const item_sender&) = delete;

  /// Returns the position in the channel that gets the next item without a decision of the policy.
  /// It has no slots if the policy must decide.
  write_position& position() noexcept { return *position_; }

  /// To be called after an item was written at the position. Calls `wake_early` if necessary.
  void after_write() {
    if (sleeping_->any()) [[unlikely]]
      wake_early();
  }
  /// Returns the sleepers to check: while there are any, `wake_early` must be called after each
  /// item written at the position.
  const sleepers& sleeping() const noexcept { return *sleeping_; }
  /// Tells the consumer of the item. If the slots are lent by the port, copies the item to all
  /// consumers.
  void wake_early() noexcept;

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
  item_sender(write_position* position, const sleepers* sleeping) noexcept : position_(position), sleeping_(sleeping) {}
  ~item_sender() = default;

  write_position* position_;
  const sleepers* sleeping_;
};

}  // namespace weir::detail
