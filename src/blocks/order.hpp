// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/ports.hpp"

#include "blocks/admission.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace weir::detail {

/// The limit on the items inside a block, shared by its entry node and its exit node. If a node
/// inside ends early, items are lost. Then the entry node also ends (see `ports::cut_off`), and the
/// remaining items leave the block.
class admission {
 public:
  explicit admission(std::size_t limit) noexcept : count_(limit) {}

  /// Called once, if the exit node is in this process.
  void has_way_out() noexcept { has_way_out_ = true; }
  /// Called by the entry node, once per run, before it takes items. @throws std::logic_error if the
  /// exit node is in another process
  void begin_at(host& way_in);
  /// Called by the exit node, once per run.
  void end_at(host& way_out) noexcept;
  /// Each end calls its function at its end, because hosts exist for one run only, and nodes for
  /// all.
  void way_in_ends() noexcept { way_in_.store(nullptr, std::memory_order_relaxed); }
  void way_out_ends() noexcept;

  /// Same as in `basic_admission`. `done` also wakes the entry node.
  std::uint64_t room(std::uint64_t next) noexcept { return count_.room(next); }
  void done(std::uint64_t first_open, bool idle) noexcept {
    if (!count_.done(first_open, idle)) return;
    if (host* const in = way_in_.load(std::memory_order_relaxed); in != nullptr) in->notify(cause::room);
  }

 private:
  basic_admission<native_atomics> count_;
  bool has_way_out_ = false;
  std::atomic<host*> way_in_{nullptr};
  std::atomic<host*> way_out_{nullptr};
};

/// The entry node of an ordered farm. Numbers the items in the order of their arrival, in one
/// additional word of their tags.
class numbering final : public behaviour {
 public:
  /// @param limit may be null
  explicit numbering(std::shared_ptr<admission> limit) noexcept : limit_(std::move(limit)) {}

  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports&) override { end(); }
  void abort(ports&) noexcept override { end(); }

 private:
  std::size_t take(channel& from, std::size_t count, ports& at);
  void end() noexcept {
    if (limit_ != nullptr) limit_->way_in_ends();
  }

  const std::shared_ptr<admission> limit_;
  std::uint64_t next_ = 0;
};

/// The exit node of an ordered farm. Takes items from the channel that holds the due item, and
/// removes the additional word.
///
/// **Invariant.** Numbers never decrease along a channel (see `tag`), so the due item is at the
/// head of a channel, or still under way. A due item can't be stuck: items before it in any channel
/// have smaller numbers and have left the farm already. So this node stores no items, and the
/// channels of the farm bound the number of its items.
class reordering final : public behaviour {
 public:
  /// @param limit may be null
  explicit reordering(std::shared_ptr<admission> limit) noexcept;

  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports&) override { end(); }
  void abort(ports&) noexcept override { end(); }

 private:
  bool is_due(tag::word word) const noexcept;
  void passed(tag::word word) noexcept;
  static bool is_awaited(const void* item, std::size_t tag_words) noexcept;
  in_channel* find(ports& at) noexcept;
  std::size_t forward(in_channel& from, std::size_t most, ports& at);

  void tell_done(bool idle) noexcept;
  void end() noexcept {
    if (limit_ != nullptr) limit_->way_out_ends();
  }

  const std::shared_ptr<admission> limit_;
  std::uint64_t due_ = 0;
  in_channel* current_ = nullptr;
};

}  // namespace weir::detail
