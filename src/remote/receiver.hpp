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

namespace weir {

/// The far end of channels that lead from another group to one in-port: decodes what comes, and
/// reports how many items their consumer has completed. It never spills: a channel that is full
/// keeps its frames, and holds up no other, so that a consumer may choose among its channels.
class remote_receiver final : public behaviour {
 public:
  explicit remote_receiver(std::shared_ptr<incoming_link> from) : from_(std::move(from)) {}
  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports& at) override;
  void abort(ports& at) noexcept override;

 private:
  using frame = incoming_link::received;
  // One channel, and the frames of it that wait for room.
  struct way {
    fifo<frame> frames{};  // of the first, what is left
    std::uint64_t reported = 0;
    bool busy = false;  // it is in busy_
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
  std::vector<std::uint32_t> busy_;  // channels that have frames, or items that are not reported
  std::vector<incoming_link::completion> completed_;
  std::size_t open_ = 0;
};

}  // namespace weir
