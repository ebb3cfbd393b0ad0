// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/awaitable.hpp>
#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ssl/stream.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace weir::cluster {

/// A message of fixed size as it is sent and received: `what` is trivially copyable.
template <class T>
auto bytes_of(T& what) {
  return asio::buffer(&what, sizeof what);
}

/// Grows with each change of the messages between groups, or between a group and the coordinator.
inline constexpr std::uint16_t protocol_version = 4;

/// The peer can't prove that it knows the secret, or is built differently.
class handshake_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  bool about_secret = false;  ///< else about how the peer is built
  std::string claimed;        ///< the name that the peer gave, which is not proven; empty: none
  std::string caller;         ///< where it calls from
};

enum class purpose : std::uint8_t { control = 1, link = 2 };

/// Who somebody is: at most 61 bytes of a name.
struct introduction {
  std::string name;
  purpose wants = purpose::control;
};

/// Makes sure that the other side of a connection knows the secret, and tells it that this one
/// does: both sides prove it by an HMAC over random numbers of both, so that nothing can be
/// replayed, and over TLS over what only the two ends of this connection have, so that nobody in
/// between can pass it on. Then the peer's introduction can be relied on. Reads at most 256 bytes,
/// into memory of a fixed size.
/// @throws handshake_error, std::system_error
/// `Stream` is a TCP connection, or TLS over one.
template <class Stream>
asio::awaitable<introduction> shake_hands_as_client(Stream& with, introduction self, const std::string& secret);
template <class Stream>
asio::awaitable<introduction> shake_hands_as_server(Stream& with, std::string name, const std::string& secret);

using tls_stream = asio::ssl::stream<asio::ip::tcp::socket>;

/// A secret nobody can guess, 64 hexadecimal digits.
std::string new_secret();

}  // namespace weir::cluster
