// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/caller.hpp"
#include "cluster/connection.hpp"
#include "cluster/handshake.hpp"
#include "cluster/meeting.hpp"

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

/// Where others connect to a group, or to the coordinator: lets in who proves to belong to the
/// cluster, and gives connections that broke what they go on with. I/O thread, but for `open` and
/// `port` before `begin`.
///
/// **Those who take their time.** It meets 32 at a time, each for five seconds at most; others
/// wait, with those first of whose kind fewest are being met. A kind are those who call from one
/// address, and as one user where that is known. Who calls while others of one kind have more
/// places than his own takes one of theirs: who has proved nothing goes. So somebody else who holds
/// as many connections as he can keeps nobody away.
class listener {
 public:
  struct users {
    /// The connection to that peer; null if there has been none.
    /// @throws handshake_error if it has no business here
    std::function<std::shared_ptr<connection>(const introduction& who)> connected;
    /// What a new connection to it would best use.
    std::function<transport_kind(const introduction& who)> kind;
    /// It has proved who it is, and was not connected before. What that throws ends the connection.
    std::function<void(met_peer met)> met;
    /// It was not let in.
    std::function<void(const handshake_error& why)> refused;
  };

  explicit listener(asio::io_context& context) : context_(context) {}

  /// @throws std::system_error
  void open(const asio::ip::tcp::endpoint& at);
  /// At the loopback addresses, or at all, of IPv4 and IPv6, as far as there are both.
  /// @param port 0: any, the same for both
  void open_loopback(std::uint16_t port);
  void open_everywhere(std::uint16_t port);
  std::uint16_t port() const { return acceptors_.front().local_endpoint().port(); }

  /// From now on, and as long as the context runs. @param name of whoever listens
  void begin(std::string name, credentials own, connection_limits limits, users tell);

  /// How many have called, and have neither been let in nor refused.
  std::size_t meetings() const noexcept { return meetings_.size() + waiting_.size(); }

 private:
  // Somebody who is met, or waits for that.
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
