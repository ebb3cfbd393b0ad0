// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/tag.hpp"
#include "weir/detail/item/owned_limit.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/detail/ports/loop.hpp"
#include "weir/detail/ports/out_port.hpp"

#include "ports/route.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace weir::detail {

/// A channel.
class leaf final : public route {
 public:
  /// @param address for a channel that leads to a relay: the consumer that gets the item
  leaf(out_port& port, const out_port::target& to, bool in_runs, std::optional<tag::word> address) noexcept;

  bool ready(const void* item) override { return data_.position().has_slot() || extend(item); }
  place put(const void* item) override {
    mark();
    if (in_runs_) port_.lead_to(*this);
    std::byte* const at = port_.tagged(data_.next_item(), item == nullptr);
    if (address_) tag::of(at, port_.tag_words()) = *address_;
    return {at, this};
  }
  place try_put(const void* item) override { return ready(item) ? put(item) : place{nullptr, nullptr}; }
  bool ask(const void* item) override;
  void ask_for_completion() override;
  bool all_gone() const noexcept override { return data_.abandoned(); }
  void forget() noexcept override {}
  std::uint64_t outstanding() const noexcept override {
    return data_.abandoned() ? 0 : data_.written() - data_.completed();
  }
  leaf* as_leaf() noexcept override { return this; }

  /// Counts the item in the slot that `put` has returned.
  void commit() noexcept {
    data_.write().done();
    if (port_.asleep().any()) [[unlikely]]
      wake_early();
  }

  /// Same as `put` and `commit`, for an item that moves from `item` to the slot.
  void send(void* item) {
    if (!is_plain_) {
      port_.copier().relocate(put(item).slot, item);
      return commit();
    }
    mark();
    channel::writer slots(data_.position(), port_.stride());
    port_.copier().relocate(slots.item(), item);
    slots.done();
    if (port_.asleep().any()) [[unlikely]]
      wake_early();
  }

  /// Marks the channel as written since the last flush.
  void mark() {
    if (is_dirty_) return;
    is_dirty_ = true;
    port_.flush_later(*this);
  }
  /// Ends a flush.
  void flushed() noexcept {
    is_dirty_ = false;
    consumer_.notify(cause::input);
  }

  /// Tells the consumer of an item, if it waits. Called when a thread is asleep that could run the
  /// consumer.
  void wake_early() noexcept;

  channel& data() const noexcept { return data_; }
  host& consumer() const noexcept { return consumer_; }
  bool closes_loop() const noexcept { return around_ != nullptr; }
  bool is_addressed() const noexcept { return address_.has_value(); }

  // ---- for the rule that assigns items to the leaf ----

  /// Limits the items that are assigned and not completed.
  void limit_fill(std::uint64_t most) noexcept;
  /// Makes the fill limit and the run follow the cost of an item.
  void adapt() noexcept { is_adaptive_ = true; }
  /// Says that a send takes longer than most, so that consumers find fewer items at a time.
  void send_slowly() noexcept { grant_most_ = grant_most_slow; }

 private:
  bool extend(const void* item);

  // Maximum number of items in one grant, and so in one publication. Measured: 256 costs a tenth
  // less than 64.
  static constexpr std::size_t grant_most = 256;
  static constexpr std::size_t grant_most_slow = 1024;

  channel& data_;
  host& consumer_;
  const loop* const around_;  // the loop that the channel closes, or null
  const bool in_runs_;        // whether items may follow each other here without asking the policy
  const bool by_bytes_;       // whether `owned_` limits the channel
  const std::optional<tag::word> address_;
  const bool is_plain_;  // whether an item goes to its slot and nothing else is to be done
  bool is_dirty_ = false;
  bool is_adaptive_ = false;
  std::size_t grant_most_;
  std::uint64_t fill_limit_most_ = channel::never;
  owned_limit owned_;
};

}  // namespace weir::detail
