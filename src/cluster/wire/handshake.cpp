// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Before the first frame:
//
//   client: hello                     server: hello proof
//   client: proof                     server: accepted
//
//   hello    = magic version byte_order word_size purpose name_size name nonce     104 bytes
//   magic    = "WEIR"            4 bytes
//   version                      2 bytes, of this protocol
//   byte_order                   2 bytes, 0x0102 as the sender writes it
//   word_size                    1 byte, of a pointer
//   purpose, name_size           1 byte each
//   name                         61 bytes, of which name_size count
//   nonce                        32 bytes, random
//   proof    = HMAC-SHA-256, with the secret as key, of ("server" or "client", client's hello, server's hello, channel)
//   channel                      32 bytes, which only the ends of a TLS connection can derive (tls-exporter, RFC 9266);
//                                without TLS zeros
//   accepted = 1                 1 byte
//
// A client that finds the server's proof wrong sends zeros as its own, so that the server knows why
// the client leaves. A server that can't accept the client's hello still sends its own hello, so
// that the client can report the difference, and closes.
#include "cluster/wire/handshake.hpp"

#include <asio/read.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace weir::cluster {
namespace {

constexpr std::uint16_t byte_order_mark = 0x0102;

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

using proof = std::array<std::uint8_t, 32>;
using channel_binding = std::array<std::uint8_t, 32>;

channel_binding binding_of(asio::ip::tcp::socket&) { return {}; }

// A third party with a certificate may stand between two others, with a TLS channel to each. These
// two channels have different bindings.
channel_binding binding_of(tls_stream& with) {
  constexpr std::string_view label = "EXPORTER-Channel-Binding";
  channel_binding made;
  if (SSL_export_keying_material(with.native_handle(), made.data(), made.size(), label.data(), label.size(), nullptr, 0,
                                 0) != 1) {
    throw handshake_error("TLS has nothing to bind a proof to");
  }
  return made;
}

hello hello_of(const std::string& name, purpose wants) {
  hello made{{'W', 'E', 'I', 'R'},
             protocol_version,
             byte_order_mark,
             sizeof(void*),
             static_cast<std::uint8_t>(wants),
             0,
             {},
             {}};
  if (name.size() > sizeof made.name) throw handshake_error("the name " + name + " is too long");
  made.name_size = static_cast<std::uint8_t>(name.size());
  std::memcpy(made.name, name.data(), name.size());
  if (RAND_bytes(made.nonce, sizeof made.nonce) != 1) throw handshake_error("there are no random numbers to be had");
  return made;
}

proof prove(std::string_view role, const hello& client, const hello& server, const channel_binding& channel,
            const std::string& secret) {
  std::array<unsigned char, 6 + 2 * sizeof(hello) + sizeof(channel_binding)> message;
  std::memcpy(message.data(), role.data(), 6);
  std::memcpy(message.data() + 6, &client, sizeof client);
  std::memcpy(message.data() + 6 + sizeof client, &server, sizeof server);
  std::memcpy(message.data() + 6 + 2 * sizeof(hello), channel.data(), channel.size());
  proof made;
  unsigned int size = made.size();
  if (HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), message.data(), message.size(), made.data(),
           &size) == nullptr) {
    throw handshake_error("HMAC-SHA-256 is not to be had");
  }
  return made;
}

// Returns the bytes of the mark, as they were sent.
std::string order_of(const hello& from) {
  std::array<unsigned char, sizeof from.byte_order> bytes;
  std::memcpy(bytes.data(), &from.byte_order, bytes.size());
  return std::to_string(bytes[0]) + " " + std::to_string(bytes[1]);
}

void must_agree(const hello& own, const hello& theirs) {
  if (std::memcmp(theirs.magic, own.magic, sizeof own.magic) != 0)
    throw handshake_error("that is not a program of weir");
  if (theirs.byte_order != own.byte_order) {
    throw handshake_error("its machine writes numbers in the byte order " + order_of(theirs) +
                          ", this one in the byte order " + order_of(own));
  }
  if (theirs.version != own.version) {
    throw handshake_error("it speaks version " + std::to_string(theirs.version) +
                          " of the protocol, this program version " + std::to_string(own.version));
  }
  if (theirs.word_size != own.word_size) {
    throw handshake_error("it was built for " + std::to_string(8 * theirs.word_size) + " bits, this program for " +
                          std::to_string(8 * own.word_size));
  }
  if (theirs.name_size > sizeof theirs.name || (theirs.purpose != 1 && theirs.purpose != 2)) {
    throw handshake_error("its first words make no sense");
  }
}

bool equal(const proof& given, const proof& right) {
  return CRYPTO_memcmp(given.data(), right.data(), right.size()) == 0;
}

void must_equal(const proof& given, const proof& right, const channel_binding& channel) {
  if (equal(given, right)) return;
  const std::string what = "it does not know the secret of this run";
  const bool encrypted = channel != channel_binding{};
  handshake_error problem(encrypted ? what + ", or somebody in between has passed on its words" : what);
  problem.about_secret = true;
  throw problem;
}

introduction introduction_of(const hello& h) {
  return {std::string(h.name, h.name_size), static_cast<purpose>(h.purpose)};
}

}  // namespace

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

template asio::awaitable<introduction> shake_hands_as_client(asio::ip::tcp::socket&, introduction, const std::string&);
template asio::awaitable<introduction> shake_hands_as_client(tls_stream&, introduction, const std::string&);
template asio::awaitable<introduction> shake_hands_as_server(asio::ip::tcp::socket&, std::string, const std::string&);
template asio::awaitable<introduction> shake_hands_as_server(tls_stream&, std::string, const std::string&);

std::string new_secret() {
  std::array<unsigned char, 32> bytes;
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) throw handshake_error("there are no random numbers to be had");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string made;
  for (const unsigned char byte : bytes) (made += digits[byte >> 4]) += digits[byte & 15];
  return made;
}

}  // namespace weir::cluster
