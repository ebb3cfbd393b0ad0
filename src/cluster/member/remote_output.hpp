// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/host.hpp"
#include "weir/detail/remote/link.hpp"

#include "cluster/protocol/standstill_answer.hpp"
#include "cluster/wire/connection.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace weir::cluster {

/// The channels of one remote sender, in one run, at their near end. Sends items at once, as frames
/// of the connection that all channels between the two groups share.
///
/// **Who may call what.** The sender calls the members of `outgoing_link`; the I/O thread calls the
/// others.
///
/// **Invariant.** A sender is notified under the lock under which it registers, so never after it
/// has withdrawn. A channel is in `news_` from a change of its counters until the sender has taken
/// it. The sender reads the counters after that, so it misses no change.
class remote_output final : public detail::outgoing_link {
 public:
  struct settings {
    std::uint32_t run;
    std::uint64_t frame_items;       ///< maximum
    std::uint64_t frames_under_way;  ///< maximum per channel
  };

  /// @param channels their numbers in the whole
  remote_output(const settings& how, const std::vector<std::uint32_t>& channels, std::shared_ptr<connection> to);

  // Called for frames of the group at the other end:
  /// @throws protocol_error
  void give_credit(std::size_t channel, std::uint64_t completed);
  void deliver_abandon(std::size_t channel);

  /// A channel whose items have been under way for some time without one of them being completed.
  struct stall {
    std::uint32_t channel;  ///< number in the whole
    std::uint64_t under_way;
  };
  std::vector<stall> stalls(std::chrono::steady_clock::duration time);

  /// Returns the traffic of all channels so far, as this end knows it.
  crossed::one_way so_far() const;

  // outgoing_link
  std::uint64_t frame_items() const override { return how_.frame_items; }
  std::uint64_t frames_under_way_most() const override { return how_.frames_under_way; }
  void register_sender(detail::host* sender) override;
  byte_sink new_frame() override { return to_->new_frame(); }
  void send(std::size_t channel, frame items) override;
  void close(std::size_t channel) override;
  void take_news(std::vector<std::uint32_t>& channels) override;
  std::uint64_t completed(std::size_t channel) const override {
    return ways_[channel].completed.load(std::memory_order_acquire);
  }
  bool abandoned(std::size_t channel) const override {
    return ways_[channel].abandoned.load(std::memory_order_relaxed);
  }
  void fail() override {}  // the run informs all groups by itself
  bool failed() const override { return false; }

 private:
  struct way {
    std::uint32_t number = 0;                 // number in the whole
    std::atomic<std::uint64_t> sent{0};       // number of items; written by the sender
    std::atomic<std::uint64_t> completed{0};  // written by the I/O thread (release)
    std::atomic<bool> abandoned{false};
    std::atomic<bool> close_was_sent{false};
    bool is_news = false;  // under the lock
    // I/O thread:
    bool stall_was_told = false;
    std::uint64_t completed_then = 0;
    std::chrono::steady_clock::time_point then{};
  };

  void tell(std::size_t channel);

  const settings how_;
  const std::shared_ptr<connection> to_;
  std::vector<way> ways_;  // by channel
  std::mutex mutex_;       // guards the members that follow
  std::vector<std::uint32_t> news_;
  detail::host* sender_ = nullptr;
};

}  // namespace weir::cluster
