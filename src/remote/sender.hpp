// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/ports.hpp"
#include "weir/detail/remote/link.hpp"

#include "remote/fifo.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace weir::detail {

/// The node at the near end of channels from one out-port to another group: encodes the items that
/// arrive, and holds the slots of items in transit. In each channel, the items in transit are at
/// most as many as it has slots, and take at most `outgoing_link::bytes_under_way_most` bytes and
/// one frame. A channel whose consumer sleeps delays no other channel.
class remote_sender final : public behaviour {
 public:
  explicit remote_sender(std::shared_ptr<outgoing_link> to) : to_(std::move(to)) {}
  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports& at) override;
  void abort(ports& at) noexcept override;

 private:
  // The end of a frame: the numbers of items and bytes up to it, counted from the first.
  struct sent_to {
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
  };
  // One channel, and its frames in transit.
  struct way {
    fifo<sent_to> frames{};
    std::uint64_t bytes_sent = 0;
    std::uint64_t bytes_completed = 0;
    std::uint64_t completed = 0;
    bool open = true;
  };

  void give_back(ports& at);
  in_port::look send_from(ports& at, in_channel& from);
  void end(way& of, std::size_t number);
  bool has_room(const way& of, const channel& data) const;
  std::uint64_t items_allowed(const way& of, const channel& data) const;
  std::uint64_t encode(ports& at, channel& data, std::size_t held, std::uint64_t allowed, byte_sink& to) const;

  std::shared_ptr<outgoing_link> to_;
  std::vector<way> ways_;            // by channel
  std::uint64_t budget_ = 0;         // items that may still be sent in this step
  std::uint64_t most_of_frame_ = 0;  // items of a frame in this step, if they take time to encode
  std::vector<std::uint32_t> news_;  // channels with news, while these are processed
};

}  // namespace weir::detail
