// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/export.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <system_error>

namespace weir {

/// A source of the lines that a TCP server sends, without their `\n`, until the server closes the
/// connection. The last line may lack its `\n`. The source connects when the run starts, to the
/// first address of `host` (a name, or an address of IPv4 or IPv6) that answers. It holds no thread
/// while it waits for data; `drain` and `cancel` end the wait and the connection, and leave the
/// rest of the data unread.
///
/// A failure to resolve, connect or read is a `node_error` that names host and port, and the
/// reason.
WEIR_API block<void, std::string> receive_lines(std::string host, std::uint16_t port);

/// A line, and the peer that sent it.
struct peer_line {
  std::uint64_t peer = 0;  ///< peers are counted from 0 in each run, in the order in which they connected
  std::string line;

  bool operator==(const peer_line&) const = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(peer, line);
  }
};

/// Encodes the peer, then the line with its own codec. cereal is not used, because the library's
/// own code has no cereal codec, and all code of a program must use the same codec.
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

/// Options of `listen_for_lines`.
struct listen_options {
  /// An address or a name of this machine. Empty: all addresses, of IPv4 and IPv6.
  std::string address = {};
  /// The port. 0: a free one, which is passed to `on_listening`.
  std::uint16_t port = 0;
  /// Number of peers to wait for: the source ends when this many peers have connected and closed.
  /// 0: the source runs until it is drained.
  std::size_t peers = 0;
  /// Whether the source also ends when no peer is connected any more, after at least one has
  /// connected.
  bool ends_when_idle = false;
  /// Longest line accepted, in bytes. A peer that sends a longer one is disconnected.
  std::size_t longest_line = std::size_t{1} << 20;

  // The node calls these functions between two of its items. Each may be empty.

  /// Called when peers can connect to this port.
  std::function<void(std::uint16_t port)> on_listening = {};
  /// Called with the peer's address and port, such as `127.0.0.1:4711` or `[::1]:4711`.
  std::function<void(std::uint64_t peer, const std::string& address)> on_connected = {};
  /// Called when a connection was cut, or sent a line that was too long
  /// (`std::errc::message_size`). The incomplete line is lost, and the peer counts as closed. The
  /// other connections stay open.
  std::function<void(std::uint64_t peer, const std::error_code& problem)> on_lost = {};
};

/// A source that listens for TCP connections, and sends the lines of all peers: the lines of each
/// peer in order, lines of different peers as they arrive. It holds no thread while it waits;
/// `drain` and `cancel` close all connections at once.
///
/// A failure to listen or accept is a `node_error` that names the address and the reason.
WEIR_API block<void, peer_line> listen_for_lines(listen_options options);

/// A sink that connects to a TCP server when the run starts, sends each item and a `\n` to the
/// server, and then closes the connection. If the server does not read, backpressure slows the
/// producers down; the sink holds no thread meanwhile, and `cancel` ends the wait.
///
/// A failure to resolve, connect or send is a `node_error` that names host and port, and the
/// reason. So is a connection that the server has cut before all data was sent. TCP does not tell
/// whether the last data sent has arrived.
WEIR_API block<std::string, void> send_lines(std::string host, std::uint16_t port);

}  // namespace weir
