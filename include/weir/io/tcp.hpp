// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <system_error>

namespace weir {

/// A source of the lines that a TCP server sends, without their `\n`, until it closes the
/// connection; the last one may lack its `\n`. It connects when the run starts, to the first
/// address of `host` (a name, or an address of IPv4 or IPv6) that answers. While there is nothing
/// to read it holds no thread; `drain` and `cancel` end that wait, and the connection, and leave
/// unread what is unread.
///
/// A failure to resolve, connect or read is a `node_error` that names host and port, and what is
/// wrong.
block<void, std::string> receive_lines(std::string host, std::uint16_t port);

/// A line, and who sent it.
struct peer_line {
  std::uint64_t peer = 0;  ///< peers are counted from 0 in each run, in the order in which they connected
  std::string line;

  bool operator==(const peer_line&) const = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(peer, line);
  }
};

/// The peer, and the line as its own codec encodes it. Not left to cereal: the library's own code
/// knows none, and all code of a program must find the same codec.
template <>
struct codec<peer_line> {
  static void encode(const peer_line& item, byte_sink& out) {
    append(out, item.peer);
    codec<std::string>::encode(item.line, out);
  }
  static peer_line decode(byte_source& in) {
    peer_line item;
    in.read(item.peer);
    item.line = codec<std::string>::decode(in);
    return item;
  }
};

struct listen_options {
  /// An address of this machine, or a name of it; empty: all addresses, of IPv4 and IPv6.
  std::string address = {};
  /// 0: a free one, which `on_listening` tells.
  std::uint16_t port = 0;
  /// How many peers to wait for: the source ends when so many have connected and closed. 0: it goes
  /// on until it is drained.
  std::size_t peers = 0;
  /// It also ends when no peer is connected any more, once one was.
  bool ends_when_idle = false;
  /// In bytes. Who sends a longer one is disconnected.
  std::size_t longest_line = std::size_t{1} << 20;

  // Called by the node, between two of its items; each may be empty.

  /// Peers can connect to this port now.
  std::function<void(std::uint16_t port)> on_listening = {};
  /// With the peer's address and port, such as `127.0.0.1:4711` or `[::1]:4711`.
  std::function<void(std::uint64_t peer, const std::string& address)> on_connected = {};
  /// A connection was cut, or sent a line that was too long (`std::errc::message_size`). The line
  /// that was begun is lost, and the peer counts as closed. The others go on.
  std::function<void(std::uint64_t peer, const std::error_code& problem)> on_lost = {};
};

/// A source that listens for TCP connections, and sends the lines of all who connect: those of each
/// peer in order, else as they come. Holds no thread while it waits; `drain` and `cancel` close all
/// connections at once.
///
/// Where it can't listen or accept, that is a `node_error` that says where, and what is wrong.
block<void, peer_line> listen_for_lines(listen_options options);

/// A sink that connects to a TCP server when the run starts, and sends it each item and a `\n`,
/// then closes the connection. A server that does not read slows its producers down, and holds no
/// thread; `cancel` ends the wait.
///
/// A failure to resolve, connect or send is a `node_error` that names host and port, and what is
/// wrong, and so is a connection that the server has cut before all was sent. Of what was sent
/// last, TCP does not tell whether it arrived.
block<std::string, void> send_lines(std::string host, std::uint16_t port);

}  // namespace weir
