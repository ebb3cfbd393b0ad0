// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/host.hpp"
#include "weir/passes/cut.hpp"

#include "cluster/connection.hpp"
#include "cluster/standstill_watch.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace weir::cluster {

/// One end of a cut channel, in one run: on its way out to the group at the other end, or in from there. What goes out is sent at once, as
/// frames of the connection that all channels between the two groups share.
///
/// **Who may call what.** What `link` says, the node at this end; `deliver_*` and `give_credit`, the I/O thread.
/// **Invariant.** A node is told of news under the lock under which it registers, so never after it has withdrawn.
class remote_channel final : public link {
 public:
  struct place {
    std::uint32_t run;
    std::uint32_t channel;
    std::uint64_t frame_items;       ///< at most
    std::uint64_t frames_under_way;  ///< at most
    bool comes_in;                   ///< else it goes out
  };

  remote_channel(const place& where, std::shared_ptr<connection> to) : where_(where), to_(std::move(to)) {}

  // From the group at the other end:
  void deliver_items(std::uint64_t count, buffer bytes);
  void deliver_close(std::uint64_t items);
  void deliver_abandon();
  void give_credit(std::uint64_t completed);

  /// How many items have been under way for so long without one of them being completed; 0: it goes on, or that has been said. I/O thread.
  std::uint64_t stalled_for(std::chrono::steady_clock::duration time) noexcept;

  /// Whether it comes in.
  bool comes_in() const noexcept { return where_.comes_in; }
  /// Its traffic so far, as this end knows it. I/O thread.
  crossed::one_way so_far() const;

  // link
  std::uint64_t frame_items() const override { return where_.frame_items; }
  std::uint64_t frames_under_way_most() const override { return where_.frames_under_way; }
  void register_sender(host* sender) override { attach(sender); }
  void register_receiver(host* receiver) override { attach(receiver); }
  byte_sink new_frame() override { return to_->new_frame(); }
  void send(frame items) override;
  void close() override;
  std::uint64_t completed() const override { return completed_.load(std::memory_order_acquire); }
  bool abandoned() const override { return abandoned_.load(std::memory_order_relaxed); }
  std::optional<received> receive() override;
  bool closed() const override;
  void complete(std::uint64_t total) override;
  void abandon() override;
  void fail() override {}  // the run tells all groups by itself
  bool failed() const override { return false; }

 private:
  void attach(host* near);
  void tell() noexcept;

  const place where_;
  const std::shared_ptr<connection> to_;
  std::atomic<std::uint64_t> sent_{0};       // items; written by the sender
  std::atomic<std::uint64_t> completed_{0};  // written by the I/O thread (release)
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> close_was_sent_{false};
  // I/O thread:
  std::uint64_t completed_then_ = 0;
  std::chrono::steady_clock::time_point then_ = std::chrono::steady_clock::now();
  bool stall_was_told_ = false;

  mutable std::mutex mutex_;  // of what follows
  std::deque<received> arrived_;
  std::uint64_t items_arrived_ = 0;
  // The bytes that the sender may have under way are counted here, too: the items and bytes up to the end of each
  // frame, counted from the first.
  struct arrived_to {
    std::uint64_t items;
    std::uint64_t bytes;
  };
  std::deque<arrived_to> under_way_;
  std::uint64_t bytes_arrived_ = 0;
  std::uint64_t bytes_completed_ = 0;
  std::uint64_t completed_told_ = 0;
  bool closed_ = false;
  bool taken_no_more_ = false;
  host* near_ = nullptr;
};

}  // namespace weir::cluster
