// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/host.hpp"
#include "weir/detail/remote/link.hpp"

#include "cluster/protocol/standstill_answer.hpp"
#include "cluster/wire/connection.hpp"
#include "remote/fifo.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace weir::cluster {

/// The channels of one remote receiver, in one run, at their far end. Keeps arrived items until the
/// receiver takes them.
///
/// **Who may call what.** The receiver calls the members of `incoming_link`; the I/O thread calls
/// the others.
///
/// **Invariant.** A receiver is notified under the lock under which it registers, so never after it
/// has withdrawn.
class remote_input final : public detail::incoming_link {
 public:
  /// @param channels their numbers in the whole
  remote_input(std::uint32_t run, const std::vector<std::uint32_t>& channels, std::shared_ptr<connection> to);

  // Called for frames of the group at the other end. All throw protocol_error if that group
  // violates the rules for a sender.
  void deliver_items(std::size_t channel, std::uint64_t count, buffer bytes);
  void deliver_close(std::size_t channel, std::uint64_t items);

  /// Returns the traffic of all channels so far, as this end knows it.
  crossed::one_way so_far() const;

  // incoming_link
  void register_receiver(detail::host* receiver) override;
  std::optional<received> receive() override;
  void complete(const std::vector<completion>& news) override;
  void abandon(std::size_t channel) override;
  void fail() override {}  // the run informs all groups by itself
  bool failed() const override { return false; }

 private:
  // Position of the end of a frame: number of the item and of the byte, counted from the first of
  // the channel. They also count the bytes that the sender may have under way.
  struct arrived_to {
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
  };
  struct way {
    std::uint32_t number = 0;  // number in the whole
    detail::fifo<arrived_to> under_way{};
    std::uint64_t items_arrived = 0;
    std::uint64_t bytes_arrived = 0;
    std::uint64_t bytes_completed = 0;
    std::uint64_t completed_told = 0;
    bool closed = false;
    bool taken_no_more = false;
  };

  void tell() noexcept;

  const std::uint32_t run_;
  const std::shared_ptr<connection> to_;
  mutable std::mutex mutex_;  // guards the members that follow
  std::vector<way> ways_;     // by channel
  std::deque<received> arrived_;
  detail::host* receiver_ = nullptr;
};

}  // namespace weir::cluster
