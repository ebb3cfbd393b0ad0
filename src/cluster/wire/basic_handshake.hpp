// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/cluster/sha256.hpp"

#include "cluster/wire/handshake.hpp"

#include <asio/read.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The handshake over any kind of stream. Its grammar is in handshake.cpp, which instantiates it for
// TCP; tls_meeting_with_openssl.cpp does for TLS.
namespace weir::cluster {

struct hello {
  char magic[4];
  std::uint16_t version;
  std::uint16_t byte_order;
  std::uint8_t word_size;
  std::uint8_t purpose;
  std::uint8_t name_size;
  char name[61];
  std::uint8_t nonce[32];
};
static_assert(sizeof(hello) == 104);

using proof = detail::sha256::digest;
using channel_binding = std::array<std::uint8_t, 32>;

/// Returns a value that only the two ends of this connection can derive; zeros without TLS.
template <class Stream>
channel_binding binding_of(Stream& with);

hello hello_of(const std::string& name, purpose wants);
proof prove(std::string_view role, const hello& client, const hello& server, const channel_binding& channel,
            const std::string& secret);
/// @throws handshake_error if the builds of the two sides can't work together
void must_agree(const hello& own, const hello& theirs);
bool equal(const proof& given, const proof& right);
/// @throws handshake_error
void must_equal(const proof& given, const proof& right, const channel_binding& channel);
introduction introduction_of(const hello& h);

template <class Stream>
asio::awaitable<introduction> shake_hands_as_client(Stream& with, introduction self, const std::string& secret) {
  hello own = hello_of(self.name, self.wants);
  co_await asio::async_write(with, bytes_of(own), asio::use_awaitable);
  hello theirs;
  co_await asio::async_read(with, bytes_of(theirs), asio::use_awaitable);
  must_agree(own, theirs);
  proof given;
  co_await asio::async_read(with, bytes_of(given), asio::use_awaitable);
  const channel_binding channel = binding_of(with);
  const proof right = prove("server", own, theirs, channel, secret);
  proof mine = prove("client", own, theirs, channel, secret);
  if (!equal(given, right)) mine.fill(0);
  co_await asio::async_write(with, bytes_of(mine), asio::use_awaitable);
  must_equal(given, right, channel);
  std::uint8_t accepted = 0;
  co_await asio::async_read(with, bytes_of(accepted), asio::use_awaitable);
  if (accepted != 1) throw handshake_error("its words make no sense");
  co_return introduction_of(theirs);
}

template <class Stream>
asio::awaitable<introduction> shake_hands_as_server(Stream& with, std::string name, const std::string& secret) {
  hello theirs;
  co_await asio::async_read(with, bytes_of(theirs), asio::use_awaitable);
  hello own = hello_of(name, purpose::control);
  co_await asio::async_write(with, bytes_of(own), asio::use_awaitable);
  try {
    must_agree(own, theirs);
    const channel_binding channel = binding_of(with);
    proof mine = prove("server", theirs, own, channel, secret);
    co_await asio::async_write(with, bytes_of(mine), asio::use_awaitable);
    proof given;
    co_await asio::async_read(with, bytes_of(given), asio::use_awaitable);
    must_equal(given, prove("client", theirs, own, channel, secret), channel);
  } catch (handshake_error& problem) {
    problem.claimed.assign(theirs.name, std::min<std::size_t>(theirs.name_size, sizeof theirs.name));
    throw;
  }
  std::uint8_t accepted = 1;
  co_await asio::async_write(with, bytes_of(accepted), asio::use_awaitable);
  co_return introduction_of(theirs);
}

}  // namespace weir::cluster
