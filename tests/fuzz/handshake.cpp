// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The handshake, seen by one side whose peer sends the input. The first byte of the input is a set
// of switches:
//
//   1: the side under test is the client, else the server
//   2: the hello with which the input begins is replaced by a right one
//   4: the proof is made right, for the hellos as they are
//   8: and one of its bits is changed
//
// The rest is sent: a hello, then a proof unless a switch makes one, then all further bytes.
#include "cluster/wire/handshake.hpp"

#include "weir/detail/cluster/sha256.hpp"

#include "must.hpp"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

using namespace weir::cluster;
using weir_fuzz::must;

using hello = std::array<std::uint8_t, 104>;
using proof = std::array<std::uint8_t, 32>;
const std::string secret = "a secret";

// A hello as made by handshake.cpp.
hello right_hello(bool client) {
  hello made{'W', 'E', 'I', 'R', static_cast<std::uint8_t>(protocol_version),
             0,   2,   1,   8,   static_cast<std::uint8_t>(client ? 2 : 1),
             4,   'p', 'e', 'e', 'r'};
  std::fill(made.end() - 32, made.end(), std::uint8_t{7});  // any nonce
  return made;
}
proof right_proof(std::string_view role, const hello& client, const hello& server) {
  std::string message(role);
  message.insert(message.end(), client.begin(), client.end());
  message.insert(message.end(), server.begin(), server.end());
  message.resize(message.size() + 32);  // not encrypted
  return weir::detail::hmac_sha256(secret, message);
}

// A socket whose two ends are in this process. Reading does not block if no more bytes can come.
class pair {
 public:
  pair() {
    int ends[2];
    must(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "there are descriptors");
    own_ = ends[0];
    theirs_ = ends[1];
  }
  pair(const pair&) = delete;
  pair& operator=(const pair&) = delete;
  ~pair() { ::close(own_); }

  int theirs() const { return theirs_; }
  template <class Bytes>
  void send(const Bytes& bytes) const {
    // The socket holds far more than a handshake without being read; the side under test may have
    // closed it.
    if (bytes.size() != 0 && ::send(own_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) return;
  }
  template <class Bytes>
  bool receive(Bytes& bytes) const {
    return ::recv(own_, bytes.data(), bytes.size(), MSG_DONTWAIT) == static_cast<ssize_t>(bytes.size());
  }
  void end() const { ::shutdown(own_, SHUT_WR); }
  std::size_t left() const {
    std::array<std::uint8_t, 1024> rest;
    const ssize_t got = ::recv(own_, rest.data(), rest.size(), MSG_DONTWAIT);
    return got < 0 ? 0 : static_cast<std::size_t>(got);
  }

 private:
  int own_;
  int theirs_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 4096) return -1;
  const bool to_client = (*data & 1U) != 0;
  const bool right_first = (*data & 2U) != 0;
  const bool proves = (*data & 4U) != 0;
  const bool spoiled = (*data & 8U) != 0;
  std::vector<std::uint8_t> rest(data + 1, data + size);

  pair ends;
  asio::io_context io;
  asio::ip::tcp::socket socket(io);
  socket.assign(asio::ip::tcp::v4(), ends.theirs());
  std::optional<introduction> met;
  bool over = false;
  const auto act = [&]() -> asio::awaitable<void> {
    try {
      introduction self{"self", purpose::link};
      if (to_client) {
        met = co_await shake_hands_as_client(socket, self, secret);
      } else {
        met = co_await shake_hands_as_server(socket, self.name, secret);
      }
    } catch (const handshake_error& problem) {
      must(*problem.what() != '\0', "it is said why");
    } catch (const std::system_error&) {
    }
    std::error_code none;
    socket.close(none);
    over = true;
  };
  asio::co_spawn(io, act, asio::detached);
  const auto go_on = [&] {
    io.restart();
    io.poll();
  };
  go_on();

  hello mine{};
  const bool has_hello = right_first || rest.size() >= mine.size();
  if (right_first) {
    mine = right_hello(!to_client);
  } else if (has_hello) {
    std::copy_n(rest.begin(), mine.size(), mine.begin());
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(mine.size()));
  }
  bool proved = false;
  if (has_hello) {
    ends.send(mine);
    go_on();
    hello theirs{};
    must(ends.receive(theirs), "a hello is always answered");
    if (proves) {
      proof given = to_client ? right_proof("server", theirs, mine) : right_proof("client", mine, theirs);
      if (spoiled) given[rest.empty() ? 0 : rest.front() % given.size()] ^= 1;
      proved = !spoiled;
      ends.send(given);
      go_on();
    }
  }
  ends.send(rest);
  go_on();
  ends.end();
  go_on();
  must(over, "a handshake ends when the peer is silent for ever");
  must(ends.left() <= 256, "no more is said than a handshake needs");
  const bool accepts = !to_client || (!rest.empty() && rest.front() == 1);  // the last byte of a server
  must(met || !(right_first && proved && accepts), "who does all right is met");
  if (met) {
    must(proved, "only who proves to know the secret is met");
    must(met->name.size() <= 61, "names fit");
    must(met->wants == purpose::control || met->wants == purpose::link, "purposes are known");
  }
  return 0;
}
