// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/basic_handshake.hpp"
#include "cluster/wire/deadline.hpp"
#include "cluster/wire/meeting.hpp"
#include "cluster/wire/mpi_transport.hpp"
#include "cluster/wire/shm_transport.hpp"
#include "cluster/wire/tls.hpp"

#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

// A meeting over any kind of stream. Its grammar is in meeting.cpp, which has the meetings over
// TCP; those over TLS are in tls_meeting_with_openssl.cpp.
namespace weir::cluster {

struct offer {
  std::uint64_t received = 0;
  std::uint64_t kind = 0;
  shm_offer where;
  mpi_offer mpi;
  std::uint64_t heartbeat = 0;
  std::uint64_t dead_after = 0;
  std::uint64_t reconnect_within = 0;
};
static_assert(sizeof(offer) == 104);

struct answer {
  std::uint64_t received = 0;
  std::uint64_t kind = 0;
  mpi_offer mpi;
};
static_assert(sizeof(answer) == 48);

offer offer_of(const terms& own, transport_kind kind, const connection_limits& limits);
/// Returns the limits with the times of the server. @throws handshake_error
connection_limits limits_in(const offer& from, connection_limits own);

template <class Stream, class T>
asio::awaitable<void> say_to(Stream& with, T& what) {
  co_await asio::async_write(with, bytes_of(what), asio::use_awaitable);
}
template <class Stream, class T>
asio::awaitable<void> hear_from(Stream& with, T& what) {
  co_await asio::async_read(with, bytes_of(what), asio::use_awaitable);
}

/// One side of a meeting.
struct meeting_side {
  bool is_server;
  introduction self;  ///< of a server, only the name counts
  std::string secret;
  terms_for say;
  connection_limits limits;
  std::chrono::milliseconds patience;
  std::vector<std::string> names;    ///< of a client, for the server's certificate
  std::shared_ptr<dismissal> early;  ///< null: nobody dismisses it
};

/// Sets the action of a dismissal during its lifetime.
class dismissable {
 public:
  dismissable(std::shared_ptr<dismissal> by, std::function<void()> act) : by_(std::move(by)) {
    if (by_ != nullptr) by_->act_ = std::move(act);
  }
  dismissable(const dismissable&) = delete;
  dismissable& operator=(const dismissable&) = delete;
  ~dismissable() {
    if (by_ != nullptr) by_->act_ = nullptr;
  }

 private:
  const std::shared_ptr<dismissal> by_;
};

/// Closes the connection of a meeting that takes too long or is dismissed, and notes that. I/O
/// thread.
class meeting_limit {
 public:
  meeting_limit(asio::ip::tcp::socket& of, const meeting_side& side, bool& too_late)
      : until_(of.get_executor(), side.patience, [&of, &too_late] { close(of, too_late); }),
        may_be_(side.early, [&of, &too_late] { close(of, too_late); }) {}

 private:
  static void close(asio::ip::tcp::socket& of, bool& too_late) {
    too_late = true;
    std::error_code none;
    of.close(none);
  }

  const deadline until_;
  const dismissable may_be_;
};

/// Agrees on the transport with a peer that has proved who it is.
template <class Stream>
asio::awaitable<met_peer> agree_as_server(std::unique_ptr<Stream> with, introduction who, const terms& own,
                                          connection_limits limits);
template <class Stream>
asio::awaitable<met_peer> agree_as_client(std::unique_ptr<Stream> with, introduction who, const terms& own,
                                          connection_limits limits);

template <class Stream>
asio::awaitable<met_peer> greet(std::unique_ptr<Stream> with, const meeting_side& side) {
  if (side.is_server) {
    introduction who = co_await shake_hands_as_server(*with, side.self.name, side.secret);
    const terms said = side.say(who);
    co_return co_await agree_as_server(std::move(with), std::move(who), said, side.limits);
  }
  introduction who = co_await shake_hands_as_client(*with, side.self, side.secret);
  const terms said = side.say(who);
  co_return co_await agree_as_client(std::move(with), std::move(who), said, side.limits);
}

/// Encrypts the connection, then meets the peer over it. @param too_late set when the connection is
/// closed because of the side's limits
asio::awaitable<met_peer> meet_over_tls(asio::ip::tcp::socket socket, tls_context& tls, const meeting_side& side,
                                        bool& too_late);

}  // namespace weir::cluster
