// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/item/copy_item.hpp"
#include "weir/detail/ports/out_port.hpp"

#include "ports/routes/leaf.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace weir::detail {

/// Slots that a broadcasting port lends to the code of its node at its position. The code fills
/// them like slots of a channel and calls `out_port::wake_early` after each item, which copies the
/// item to the channels.
///
/// While slots are lent, the same number of slots is granted in each channel, all leaves are marked
/// as written, and nothing is spilled. For this reason no copy has to wait. The port takes the
/// slots back before anything else changes that.
class lent_slots {
 public:
  /// Returns whether slots of a port can be lent: an item is nothing but its bytes, and small.
  static bool suit(const out_port& port) noexcept;

  lent_slots(out_port& port, std::vector<leaf*> to);

  /// Lends as many slots as every channel has, which is at least one.
  void lend() noexcept;

  /// Copies the item that was written last to all channels.
  void send() noexcept;

  write_position& position() noexcept { return position_; }

 private:
  const out_port& port_;
  const item_copier copier_;
  const std::size_t stride_;  // bytes of a slot
  const std::vector<leaf*> to_;
  std::vector<write_position*> positions_;  // those of the leaves
  const std::size_t most_;
  const std::unique_ptr<std::byte[]> memory_;
  const std::byte* next_ = nullptr;  // the first slot that has not been copied
  write_position position_;
};

inline void lent_slots::send() noexcept {
  const std::byte* const item = std::exchange(next_, next_ + stride_);
  if (std::uint64_t word; stride_ == sizeof word) {  // the usual item: it stays in a register
    std::memcpy(&word, item, sizeof word);
    for (write_position* const each : positions_) {
      channel::writer slots(*each, sizeof word);
      std::memcpy(slots.item(), &word, sizeof word);
      slots.done();
    }
  } else {
    for (write_position* const each : positions_) {
      channel::writer slots(*each, stride_);
      copier_.copy(slots.item(), item);
      slots.done();
    }
  }
  if (port_.asleep().any()) [[unlikely]] {
    for (leaf* const each : to_) each->wake_early();
  }
}

}  // namespace weir::detail
