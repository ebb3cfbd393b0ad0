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

namespace weir {

/// The limit on what is inside a block, between the nodes that keep it. Items are lost when a node
/// inside ends early. Then the way in ends, too (see `ports::cut_off`), and what is left leaves.
class admission {
 public:
  explicit admission(std::size_t limit) noexcept : count_(limit) {}

  /// Once, if the way out is in this process.
  void has_way_out() noexcept { has_way_out_ = true; }
  /// The way in, once per run, before it takes anything. @throws std::logic_error if the way out is
  /// in another process
  void begin_at(host& way_in);
  /// The way out, once per run.
  void end_at(host& way_out) noexcept;
  /// Each at its end, because the hosts end with the run, and the nodes do not.
  void way_in_ends() noexcept { way_in_.store(nullptr, std::memory_order_relaxed); }
  void way_out_ends() noexcept;

  /// As `basic_admission` has them; wakes the way in.
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

/// The way into an ordered farm: numbers the items in the order in which they come, in one word
/// more than their tags had.
class numbering final : public behaviour {
 public:
  /// @param limit may be null
  explicit numbering(std::shared_ptr<admission> limit) noexcept : limit_(std::move(limit)) {}

  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports&) override { end(); }
  void abort(ports&) noexcept override { end(); }

 private:
  std::size_t take(std::byte* first, std::size_t count, channel& from, ports& at);
  void end() noexcept {
    if (limit_ != nullptr) limit_->way_in_ends();
  }

  const std::shared_ptr<admission> limit_;
  std::uint64_t next_ = 0;
};

/// The way out of an ordered farm: takes from the channel that holds what is due, and drops that
/// word.
///
/// **Invariant.** Numbers never decrease along a channel (see `tag`), so what is due is at the head
/// of one, or still on its way. Nothing that is due can be stuck: whatever lies in front of it in
/// any channel has a smaller number and has left the farm already. So nothing need be stored here,
/// and what the farm holds is bounded by its channels.
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
  static bool is_awaited(const void* item, std::size_t words) noexcept;
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

}  // namespace weir
