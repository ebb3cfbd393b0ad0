// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace weir::cluster {

/// The peer can't prove that it knows the secret, or is built differently.
class handshake_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class purpose : std::uint8_t { control = 1, link = 2 };

/// Who somebody is: at most 63 bytes of a name.
struct introduction {
  std::string name;
  purpose wants = purpose::control;
};

/// Makes sure that the other side of a connection knows the secret, and tells it that this one does: both sides prove it by an HMAC over
/// random numbers of both, so that nothing can be replayed. Then the peer's introduction can be relied on. Reads at most 256
/// bytes, into memory of a fixed size. The socket is closed after `patience`.
/// @throws handshake_error, std::system_error
asio::awaitable<introduction> shake_hands_as_client(asio::ip::tcp::socket& with, introduction self,
                                                    const std::string& secret, std::chrono::milliseconds patience);
asio::awaitable<introduction> shake_hands_as_server(asio::ip::tcp::socket& with, std::string name,
                                                    const std::string& secret, std::chrono::milliseconds patience);

/// A secret nobody can guess, 64 hexadecimal digits.
std::string new_secret();

}  // namespace weir::cluster
