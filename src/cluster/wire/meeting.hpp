// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/connection.hpp"
#include "cluster/wire/handshake.hpp"
#include "cluster/wire/tls.hpp"
#include "cluster/wire/transport.hpp"

#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weir::cluster {

/// The kinds of transport.
enum class transport_kind : std::uint8_t { tcp = 0, shm = 1, inproc = 2, mpi = 3 };

/// Secrets of a process.
struct credentials {
  std::string secret;
  std::shared_ptr<tls_context> tls;  ///< null: connections are not encrypted
};

/// Terms that one side sends to a peer that has proved who it is.
struct terms {
  std::uint64_t received = 0;                 ///< frames of this connection that had arrived before it broke
  transport_kind kind = transport_kind::tcp;  ///< preferred by the server; the client may be unable to use it
};

/// An authenticated peer, and the transport to it.
struct met_peer {
  introduction who;
  std::uint64_t received = 0;  ///< frames that have arrived at the peer
  std::shared_ptr<transport> over;
  transport_kind kind = transport_kind::tcp;
  connection_limits limits;  ///< limits of this connection, as the server sets them
  asio::ip::tcp::endpoint here;
  asio::ip::tcp::endpoint there;
};

/// Ends a meeting that is under way, which then fails. I/O thread.
class dismissal {
 public:
  void operator()() {
    if (act_) act_();
  }

 private:
  friend class dismissable;
  std::function<void()> act_;
};

/// Returns the terms for a peer. An exception ends the meeting.
using terms_for = std::function<terms(const introduction& who)>;

/// Authenticates both sides of a new connection, and agrees on the transport for its frames. Closes
/// the socket if this takes longer than `patience`, for the server five seconds. If the server's
/// certificate has a subjectAltName, this must contain one of `names`, if there are any: addresses,
/// hosts, or the server's name in the cluster.
/// @throws handshake_error, std::system_error, and exceptions of `say`
asio::awaitable<met_peer> meet_as_client(asio::ip::tcp::socket socket, introduction self, credentials own,
                                         terms_for say, connection_limits limits, std::chrono::milliseconds patience,
                                         std::vector<std::string> names = {});
asio::awaitable<met_peer> meet_as_server(asio::ip::tcp::socket socket, std::string name, credentials own, terms_for say,
                                         connection_limits limits, std::shared_ptr<dismissal> early = nullptr);

}  // namespace weir::cluster
