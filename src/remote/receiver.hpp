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

/// The node at the far end of channels from another group to one in-port: decodes the frames that
/// arrive, and reports the number of items that the consumer has completed. It does not move frames
/// of a full channel elsewhere. Such a channel keeps its frames, and delays no other channel, so
/// that a consumer may choose among its channels.
class remote_receiver final : public behaviour {
 public:
  explicit remote_receiver(std::shared_ptr<incoming_link> from) : from_(std::move(from)) {}
  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports& at) override;
  void abort(ports& at) noexcept override;

 private:
  using frame = incoming_link::received;
  // One channel, and its frames that wait for room.
  struct way {
    fifo<frame> frames{};  // the first one may be partly delivered
    std::uint64_t reported = 0;
    bool busy = false;  // whether the channel is in busy_
    bool open = true;
  };

  void receive();
  void look_for_abandoned(ports& at);
  void end(std::size_t number);
  bool deliver_all(ports& at, std::uint64_t most);
  bool deliver(ports& at, std::size_t number, std::uint64_t most, std::uint64_t& budget);
  void report(ports& at, bool more);
  static std::uint64_t completion_to_wait_for(const way& of, const channel& data);

  std::shared_ptr<incoming_link> from_;
  std::vector<way> ways_;            // by channel
  std::vector<std::uint32_t> busy_;  // channels with frames, or with completed items that are not reported
  std::vector<incoming_link::completion> completed_;
  std::size_t open_ = 0;
};

}  // namespace weir::detail
