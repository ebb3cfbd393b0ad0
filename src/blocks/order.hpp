// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/behaviour.hpp"
#include "weir/graph/ports.hpp"

#include <cstdint>

namespace weir {

/// The way into an ordered farm: numbers the items in the order in which they come, in one word more than their tags had.
class numbering final : public behaviour {
 public:
  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;

 private:
  std::size_t take(std::byte* first, std::size_t count, channel& from, ports& at);

  std::uint64_t next_ = 0;
};

/// The way out of an ordered farm: takes from the channel that holds what is due, and drops that word.
///
/// **Invariant.** Numbers never decrease along a channel (see `tag`), so what is due is at the head of one, or still on its way.
/// Nothing that is due can be stuck: whatever lies in front of it in any channel has a smaller number and has left the farm
/// already. So nothing need be stored here, and what the farm holds is bounded by its channels.
class reordering final : public behaviour {
 public:
  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;

 private:
  bool is_due(tag::word word) const noexcept;
  void passed(tag::word word) noexcept;
  static bool is_awaited(const void* item, std::size_t words) noexcept;
  in_channel* find(ports& at) noexcept;
  std::size_t forward(in_channel& from, std::size_t most, ports& at);

  std::uint64_t due_ = 0;
  in_channel* current_ = nullptr;
};

}  // namespace weir
