// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/writer.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace weir {
class out_port;
}

namespace weir::detail {

class leaf;

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
  out_port& port_;
  const std::vector<leaf*> to_;
  const std::size_t most_;
  const std::unique_ptr<std::byte[]> memory_;
  const std::byte* next_ = nullptr;  // the first slot that has not been copied
  write_position position_;
};

}  // namespace weir::detail
