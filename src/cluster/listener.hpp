// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/connection.hpp"
#include "cluster/handshake.hpp"
#include "cluster/meeting.hpp"

#include <asio/awaitable.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace weir::cluster {

/// Where others connect to a group, or to the coordinator: lets in who proves to belong to the cluster, and gives connections that
/// broke what they go on with. Meets at most 32 at a time; the others wait in the kernel. I/O thread, but for `open` and `port`
/// before `begin`.
class listener {
 public:
  struct users {
    /// The connection to that peer; null if there has been none. @throws handshake_error if it has no business here
    std::function<std::shared_ptr<connection>(const introduction& who)> connected;
    /// What a new connection to it would best use.
    std::function<transport_kind(const introduction& who)> kind;
    /// It has proved who it is, and was not connected before. What that throws ends the connection.
    std::function<void(met_peer met)> met;
    /// It was not let in.
    std::function<void(const handshake_error& why)> refused;
  };

  explicit listener(asio::io_context& context) : context_(context), acceptor_(context) {}

  /// @throws std::system_error
  void open(const asio::ip::tcp::endpoint& at);
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  /// From now on, and as long as the context runs. @param name of whoever listens
  void begin(std::string name, credentials own, connection_limits limits, users tell);

  /// How many it is just meeting.
  std::size_t meetings() const noexcept { return meetings_; }

 private:
  asio::awaitable<void> accept();
  asio::awaitable<void> admit(asio::ip::tcp::socket socket);
  terms terms_for_caller(const introduction& who) const;

  asio::io_context& context_;
  asio::ip::tcp::acceptor acceptor_;
  std::string name_;
  credentials own_;
  connection_limits limits_;
  users tell_;
  std::size_t meetings_ = 0;
};

}  // namespace weir::cluster
