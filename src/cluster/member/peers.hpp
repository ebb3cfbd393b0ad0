// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/member/cluster_settings.hpp"
#include "cluster/member/dialer.hpp"
#include "cluster/member/session_status.hpp"
#include "cluster/protocol/messages.hpp"
#include "cluster/wire/connection.hpp"
#include "cluster/wire/handshake.hpp"
#include "cluster/wire/listener.hpp"
#include "cluster/wire/meeting.hpp"

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace weir::cluster {

/// Describes a lost connection: its peer, and how far it had come.
/// @param channel the channel of the last items, such as "from /a to /b"; empty: none
std::string circumstances(connection& of, const asio::ip::tcp::endpoint& there, const std::string& channel);

/// The connections of a group to the groups that it shares channels with. Of two groups, the one
/// whose name comes first in the alphabet connects to the other.
///
/// `at` may be called by any thread. The I/O thread calls the others, except `end`.
class peers {
 public:
  /// Called on the I/O thread.
  struct users {
    /// A frame has arrived. May throw protocol_error.
    std::function<void(arrived_frame& what)> arrived;
    /// Returns text such as "from /a to /b"; empty: it is no channel of the run under way.
    std::function<std::string(const connection::channel_of_run& channel)> ends_of;
    /// A connection is lost, or could not be made.
    std::function<void(to_coordinator::lost message)> lost;
    /// A connection has been closed.
    std::function<void()> closed;
  };

  /// @param name the name of this group
  peers(asio::io_context& context, std::string name, credentials own, session_status& status, dialer& calls,
        users tell);
  peers(const peers&) = delete;
  peers& operator=(const peers&) = delete;

  /// Listens at an address of this machine. @throws graph_error
  void listen(const asio::ip::tcp::endpoint& at);
  std::uint16_t port() const { return listener_.port(); }
  /// Accepts the groups that connect to this one.
  /// @param has_checksums whether payloads have checksums on this machine, too
  void begin(std::map<std::string, group_address> addresses, const connection_limits& limits, bool has_checksums);

  /// Returns the connection to a group, and makes it if necessary. @throws group_error, and the
  /// failure of the session
  std::shared_ptr<connection> at(const std::string& group);

  /// Number of connections that are open.
  std::size_t open() const noexcept { return open_; }
  /// Sends goodbye to all. Each peer closes its connection when it has read everything.
  void leave();
  /// After the I/O thread has ended: no peer in this process calls this any more.
  void end();

 private:
  dialer::target target_of(const std::string& group) const;
  void dial(const std::string& group);
  std::shared_ptr<connection> caller(const introduction& who);
  void add(met_peer met);

  asio::io_context& context_;
  const std::string name_;
  const credentials own_;
  session_status& status_;
  dialer& calls_;
  const users tell_;
  listener listener_;
  std::map<std::string, group_address> addresses_;  // set by `begin`
  bool has_checksums_ = false;
  bool leaving_ = false;
  std::size_t open_ = 0;

  // Under the lock of `status_`:
  std::set<std::string> dialled_;
  std::map<std::string, std::shared_ptr<connection>> connections_;
};

}  // namespace weir::cluster
