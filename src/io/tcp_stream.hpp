// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/node_waker.hpp"

#include <asio/ip/tcp.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>

namespace weir::io {

/// Formats an address as `host:port`, with an IPv6 address in brackets.
std::string shown_address(const std::string& host, std::uint16_t port);
std::string shown_address(const asio::ip::tcp::endpoint& where);

/// Returns the same error in the standard's category, which compares with `std::errc`.
std::error_code standard_error(const std::error_code& problem);

/// @throws std::system_error: `can't <what>: <the system's text>`
[[noreturn]] void fail_with(const std::string& what, const std::error_code& problem);

/// Notifies a node that a socket is ready: calls `ring` when it is, on the thread of `events`. One
/// wait at a time.
class readiness_wait {
 public:
  explicit readiness_wait(std::function<void()> ring) : shared_(std::make_shared<shared>(std::move(ring))) {}

  template <class Socket>
  void arm(Socket& socket, asio::socket_base::wait_type what) {
    if (shared_->armed.exchange(true, std::memory_order_acquire)) return;  // pairs with the release in the handler
    socket.async_wait(what, [held = shared_](std::error_code) {
      held->armed.store(false, std::memory_order_release);
      held->ring();
    });
  }

 private:
  struct shared {
    explicit shared(std::function<void()> to) : ring(std::move(to)) {}
    std::function<void()> ring;
    std::atomic<bool> armed{false};
  };
  std::shared_ptr<shared> shared_;
};

/// A non-blocking TCP connection. One thread at a time.
class tcp_stream {
 public:
  tcp_stream(asio::ip::tcp::socket connected, std::function<void()> ring);

  /// Reads some bytes. 0 is the end. Empty: there are no bytes now and `ring` will be called, or
  /// `problem` is set.
  std::optional<std::size_t> read(std::span<std::byte> to, std::error_code& problem);

  /// Writes some bytes; the results are those of `read`.
  std::optional<std::size_t> write(std::span<const std::byte> from, std::error_code& problem);

  /// Ends writing. If the peer has cut the connection, written bytes may be lost, and `problem`
  /// says so.
  void shut_down(std::error_code& problem);

 private:
  asio::ip::tcp::socket socket_;
  readiness_wait readable_;
  readiness_wait writable_;
};

/// A TCP connection that is being established, on the thread of `events`. The destructor gives it
/// up.
class tcp_connecting {
 public:
  tcp_connecting(const std::string& host, std::uint16_t port, std::shared_ptr<node_waker> waker);
  tcp_connecting(const tcp_connecting&) = delete;
  tcp_connecting& operator=(const tcp_connecting&) = delete;
  ~tcp_connecting();

  /// Returns the connection; null while it is not established. May be called until it returns one.
  /// @throws std::system_error
  std::unique_ptr<tcp_stream> take();

 private:
  struct attempt;
  std::string what_;
  std::shared_ptr<node_waker> waker_;
  std::shared_ptr<attempt> attempt_;
};

}  // namespace weir::io
