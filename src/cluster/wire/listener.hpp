// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/caller.hpp"
#include "cluster/wire/connection.hpp"
#include "cluster/wire/handshake.hpp"
#include "cluster/wire/meeting.hpp"

#include <asio/awaitable.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace weir::cluster {

/// Accepts the connections to a group, or to the coordinator. Admits callers that prove to belong
/// to the cluster, and gives a broken connection its new transport. I/O thread, except `open` and
/// `port` before `begin`.
///
/// **Slow callers.** It meets 32 callers at a time, each for five seconds at most. The others wait;
/// the next one is of the kind of which the fewest are being met. A kind is all callers from one
/// address, and of one user where the user is known. If callers of another kind have more places
/// than a new caller's kind, the new caller takes one of those places: only callers that have
/// proved nothing lose it. So an outsider with any number of connections keeps no member away.
class listener {
 public:
  struct users {
    /// Returns the connection to that peer; null if there has been none.
    /// @throws handshake_error if the peer may not connect here
    std::function<std::shared_ptr<connection>(const introduction& who)> connected;
    /// Returns the best kind of transport for a new connection to the peer.
    std::function<transport_kind(const introduction& who)> kind;
    /// Called when a peer has been authenticated that was not connected before. An exception ends
    /// the connection.
    std::function<void(met_peer met)> met;
    /// Called when a caller was not admitted.
    std::function<void(const handshake_error& why)> refused;
  };

  explicit listener(asio::io_context& context) : context_(context) {}

  /// @throws std::system_error
  void open(const asio::ip::tcp::endpoint& at);
  /// Listens at the loopback addresses, or at all addresses, of IPv4 and IPv6, if both exist.
  /// @param port 0: any port, the same for both
  void open_loopback(std::uint16_t port);
  void open_everywhere(std::uint16_t port);
  std::uint16_t port() const { return acceptors_.front().local_endpoint().port(); }

  /// Starts accepting, as long as the context runs. @param name name of the listening group or
  /// coordinator
  void begin(std::string name, credentials own, connection_limits limits, users tell);

  /// Number of callers that have been neither admitted nor refused.
  std::size_t meetings() const noexcept { return meetings_.size() + waiting_.size(); }

 private:
  // A caller that is being met, or waits for this.
  struct guest {
    asio::ip::tcp::socket socket;  // while it waits
    asio::ip::tcp::endpoint here;
    asio::ip::tcp::endpoint there;
    std::chrono::steady_clock::time_point came;
    std::shared_ptr<dismissal> early;
    std::optional<caller> known;
    const caller& kind() { return known ? *known : known.emplace(caller_of(here, there)); }
  };

  asio::awaitable<void> accept(asio::ip::tcp::acceptor& at);
  asio::awaitable<void> admit(asio::ip::tcp::socket socket, std::shared_ptr<dismissal> early);
  void let_in(guest who);
  void let_in_more();
  void make_room_for(guest& who);
  bool may_wait(guest& who);
  static std::map<caller, std::size_t> counted(std::list<guest>& all);
  static std::list<guest>::iterator first_of(std::list<guest>& all, const caller& kind);
  terms terms_for_caller(const introduction& who) const;

  asio::io_context& context_;
  std::list<asio::ip::tcp::acceptor> acceptors_;
  std::string name_;
  credentials own_;
  connection_limits limits_;
  users tell_;
  std::list<guest> meetings_;
  std::list<guest> waiting_;
};

}  // namespace weir::cluster
