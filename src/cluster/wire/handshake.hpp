// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/awaitable.hpp>
#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace weir::cluster {

/// Buffer over a message of fixed size, to send or receive it: `what` is trivially copyable.
template <class T>
auto bytes_of(T& what) {
  return asio::buffer(&what, sizeof what);
}

/// Incremented with each change of the messages between groups, or between a group and the
/// coordinator.
extern const std::uint16_t protocol_version;

/// The peer can't prove that it knows the secret, or its build differs.
class handshake_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  bool about_secret = false;  ///< else the problem is the peer's build
  std::string claimed;        ///< name that the peer gave, which is not proven; empty: none
  std::string caller;         ///< address that the peer calls from
};

enum class purpose : std::uint8_t { control = 1, link = 2 };

/// Identity of a peer: its name, of at most 61 bytes, and its purpose.
struct introduction {
  std::string name;
  purpose wants = purpose::control;
};

/// Authenticates both sides of a connection: each proves that it knows the secret. The proof is an
/// HMAC over random numbers of both sides, so it can't be replayed. Over TLS it also covers a value
/// that only the two ends of this connection have, so a third party in between can't pass it on.
/// After this the peer's introduction can be trusted. Reads at most 256 bytes, into memory of a
/// fixed size.
/// @throws handshake_error, std::system_error
///
/// `Stream` is a TCP connection, or TLS over one.
template <class Stream>
asio::awaitable<introduction> shake_hands_as_client(Stream& with, introduction self, const std::string& secret);
template <class Stream>
asio::awaitable<introduction> shake_hands_as_server(Stream& with, std::string name, const std::string& secret);

/// Returns a new random secret of 64 hexadecimal digits.
std::string new_secret();

}  // namespace weir::cluster
