// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/transport.hpp"

#include <asio/ip/tcp.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace weir::cluster {

/// Frames over a TCP connection. `write` writes to the socket at once, in the calling thread,
/// without copying the payload.
class tcp_transport final : public transport, public std::enable_shared_from_this<tcp_transport> {
 public:
  /// @param largest bytes of a frame
  /// @param patience how long the kernel may wait for the other side to acknowledge
  tcp_transport(asio::ip::tcp::socket socket, std::size_t largest, std::chrono::milliseconds patience);

  void begin(std::weak_ptr<user> who) override;
  std::size_t write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept override;
  void end() noexcept override;

 private:
  void wait_for_bytes();
  void take(std::size_t got) noexcept;
  std::string why_lost(std::error_code problem) const;
  void lose(const std::string& why, loss_cause cause = loss_cause::broken) noexcept;

  asio::ip::tcp::socket socket_;
  std::atomic<int> write_error_{0};
  std::size_t written_ = 0;  // bytes of the first frame that was not written completely; used by the writer
  // I/O thread:
  std::weak_ptr<user> user_;
  frame_reader reader_;
  std::size_t room_ = 0;  // size of the room for the next bytes
  bool over_ = false;
};

}  // namespace weir::cluster
