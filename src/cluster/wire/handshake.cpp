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

#include "cluster/wire/basic_handshake.hpp"
#include "cluster/wire/random_bytes.hpp"

#include <array>
#include <cstddef>
#include <cstring>

namespace weir::cluster {
namespace {

constexpr std::uint16_t byte_order_mark = 0x0102;

// Returns the bytes of the mark, as they were sent.
std::string order_of(const hello& from) {
  std::array<unsigned char, sizeof from.byte_order> bytes;
  std::memcpy(bytes.data(), &from.byte_order, bytes.size());
  return std::to_string(bytes[0]) + " " + std::to_string(bytes[1]);
}

}  // namespace

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
  fill_with_random(made.nonce);
  return made;
}

proof prove(std::string_view role, const hello& client, const hello& server, const channel_binding& channel,
            const std::string& secret) {
  std::string message(role);
  message.append(reinterpret_cast<const char*>(&client), sizeof client);
  message.append(reinterpret_cast<const char*>(&server), sizeof server);
  message.append(reinterpret_cast<const char*>(channel.data()), channel.size());
  return detail::hmac_sha256(secret, message);
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

// Takes the same time wherever the two differ.
bool equal(const proof& given, const proof& right) {
  volatile unsigned char differ = 0;
  for (std::size_t i = 0; i != right.size(); ++i) differ = static_cast<unsigned char>(differ | (given[i] ^ right[i]));
  return differ == 0;
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

// Without TLS, a proof is bound to no channel.
template <>
channel_binding binding_of(asio::ip::tcp::socket&) {
  return {};
}

template asio::awaitable<introduction> shake_hands_as_client(asio::ip::tcp::socket&, introduction, const std::string&);
template asio::awaitable<introduction> shake_hands_as_server(asio::ip::tcp::socket&, std::string, const std::string&);

std::string new_secret() {
  std::array<unsigned char, 32> bytes;
  fill_with_random(bytes);
  return detail::hexadecimal(bytes);
}

}  // namespace weir::cluster
