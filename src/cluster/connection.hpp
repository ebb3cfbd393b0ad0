// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/bytes.hpp"

#include "cluster/frame.hpp"

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weir::cluster {

struct connection_limits {
  std::size_t frame_bytes = std::size_t{80} << 20;  ///< what one frame may hold: a record of 64 MB, and some
  std::chrono::milliseconds heartbeat{1000};        ///< something is sent at least so often
  std::chrono::milliseconds dead_after{5000};       ///< a peer that is silent for so long is taken for dead
};

/// A connection to a peer that has proved who it is: frames in both directions, and heartbeats.
///
/// **Who may call what.** `begin`: the thread of its I/O context, once. `send`: any thread; it writes to the socket itself as long as that
/// takes bytes, so that a small frame costs no change of threads; what is left goes out from the I/O thread. What `begin` was given
/// is called by the I/O thread; `lost` once, and nothing after it.
/// **Invariant.** Whoever sets `writing_` is the writer until it finds `queue_` empty under the lock; only the writer touches
/// `batch_` and writes. Frames get their numbers under the same lock as their places in the queue, so they leave in order.
class connection : public std::enable_shared_from_this<connection> {
 public:
  using arrived = std::function<void(const frame_reader::frame& what, frame_reader& from)>;

  connection(asio::ip::tcp::socket socket, const connection_limits& limits);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  /// @param on_arrival may throw protocol_error
  /// @param on_loss gets the reason; empty: the peer said goodbye
  void begin(arrived on_arrival, std::function<void(const std::string& why)> on_loss);

  void send(frame_type type, std::uint32_t run, std::uint32_t channel, std::uint64_t count, byte_sink payload) noexcept;
  void send_control(const std::string& text) noexcept;

  /// Says goodbye behind all that was sent, and waits for the peer to close; then `on_loss` is told, with an empty reason. I/O thread.
  void leave() noexcept;

  /// Nothing more is read or written, and nobody is told. I/O thread.
  void end() noexcept;

  /// `host:port` of the other side.
  const std::string& peer() const noexcept { return peer_; }
  /// The address alone.
  std::string peer_address() const { return peer_endpoint_.address().to_string(); }

 private:
  struct outgoing {
    frame_bytes header;
    byte_sink payload;
  };

  void write_queue() noexcept;
  void wait_until_writable() noexcept;
  void wait_until_readable();
  void read() noexcept;
  void watch_the_time();
  void lose(const std::string& why) noexcept;

  asio::ip::tcp::socket socket_;
  asio::steady_timer timer_;
  const connection_limits limits_;
  asio::ip::tcp::endpoint peer_endpoint_;
  std::string peer_;

  // I/O thread:
  arrived on_arrival_;
  std::function<void(const std::string&)> on_loss_;
  frame_reader reader_;
  bool over_ = false;
  bool leaving_ = false;
  std::chrono::steady_clock::time_point heard_;
  std::chrono::steady_clock::time_point looked_;

  std::atomic<std::int64_t> last_sent_{0};  // steady_clock, nanoseconds; a hint
  std::mutex mutex_;
  std::deque<outgoing> queue_;
  std::uint64_t sequence_ = 0;
  bool writing_ = false;
  bool broken_ = false;

  std::vector<outgoing> batch_;  // the writer's
  std::size_t written_ = 0;      // bytes of the first of it
};

}  // namespace weir::cluster
