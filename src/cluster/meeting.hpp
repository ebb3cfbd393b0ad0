// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/connection.hpp"
#include "cluster/handshake.hpp"
#include "cluster/transport.hpp"

#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ssl/context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weir::cluster {

/// The ways that frames can take.
enum class transport_kind : std::uint8_t { tcp = 0, shm = 1, inproc = 2, mpi = 3 };

/// What a process knows that others don't.
struct credentials {
  std::string secret;
  std::shared_ptr<asio::ssl::context> tls;  ///< null: connections are not encrypted
};

/// What one side says to a peer that has proved who it is.
struct terms {
  std::uint64_t received = 0;                 ///< frames that have arrived of this connection, before it broke
  transport_kind kind = transport_kind::tcp;  ///< what the server would like to use; the client may not be able to
};

/// A peer that has proved who it is, and what leads to it.
struct met_peer {
  introduction who;
  std::uint64_t received = 0;  ///< there
  std::shared_ptr<transport> over;
  transport_kind kind = transport_kind::tcp;
  connection_limits limits;  ///< of this connection, as the server wants them
  asio::ip::tcp::endpoint here;
  asio::ip::tcp::endpoint there;
};

/// Ends a meeting before its time, while it goes on; then it fails. I/O thread.
class dismissal {
 public:
  void operator()() {
    if (act_) act_();
  }

 private:
  friend class dismissable;
  std::function<void()> act_;
};

/// What to say to it; what that throws ends the meeting.
using terms_for = std::function<terms(const introduction& who)>;

/// The two sides of a new connection find out that they belong together, and what carries their
/// frames. The socket is closed if that takes longer than `patience`, for the server five seconds.
/// A certificate of the server that says whose it is (subjectAltName) must say one of `names`,
/// where there are any: addresses, hosts, or what the server is called in the cluster.
/// @throws handshake_error, std::system_error, and what `say` throws
asio::awaitable<met_peer> meet_as_client(asio::ip::tcp::socket socket, introduction self, credentials own,
                                         terms_for say, connection_limits limits, std::chrono::milliseconds patience,
                                         std::vector<std::string> names = {});
asio::awaitable<met_peer> meet_as_server(asio::ip::tcp::socket socket, std::string name, credentials own, terms_for say,
                                         connection_limits limits, std::shared_ptr<dismissal> early = nullptr);

}  // namespace weir::cluster
