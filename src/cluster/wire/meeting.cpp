// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// After both sides have proved who they are (see handshake.cpp):
//
//   server: offer                     client: answer
//
//   offer    = received kind process descriptor token rank tag job heartbeat dead_after reconnect_within
//   answer   = received kind rank tag job
//   received                     8 bytes: the frames of this connection that have arrived at the sender, over
//                                earlier transports
//   kind                         8 bytes, see transport_kind; the client answers with it, or with 0 if it can't use it
//   process, descriptor, token   8, 8 and 16 bytes; see shm_offer; for inproc only the token counts
//   rank, tag, job               8, 8 and 16 bytes; see mpi_offer
//   heartbeat, dead_after, reconnect_within     8 bytes each, milliseconds: the connection_limits of this connection
//
// Frames follow, over the agreed transport.
#include "cluster/wire/meeting.hpp"

#include "cluster/wire/basic_meeting.hpp"
#include "cluster/wire/host_and_port.hpp"
#include "cluster/wire/inproc_transport.hpp"
#include "cluster/wire/mpi_transport.hpp"
#include "cluster/wire/shm_transport.hpp"
#include "cluster/wire/tcp_transport.hpp"

#include <asio/error.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

namespace weir::cluster {

using asio::ip::tcp;

offer offer_of(const terms& own, transport_kind kind, const connection_limits& limits) {
  offer made;
  made.received = own.received;
  made.kind = static_cast<std::uint64_t>(kind);
  made.heartbeat = static_cast<std::uint64_t>(limits.heartbeat.count());
  made.dead_after = static_cast<std::uint64_t>(limits.dead_after.count());
  made.reconnect_within = static_cast<std::uint64_t>(limits.reconnect_within.count());
  return made;
}

connection_limits limits_in(const offer& from, connection_limits own) {
  constexpr std::uint64_t most = 1'000'000'000;
  if (from.heartbeat == 0 || std::max({from.heartbeat, from.dead_after, from.reconnect_within}) > most) {
    throw handshake_error("its first words make no sense");
  }
  own.heartbeat = std::chrono::milliseconds(from.heartbeat);
  own.dead_after = std::chrono::milliseconds(from.dead_after);
  own.reconnect_within = std::chrono::milliseconds(from.reconnect_within);
  return own;
}

template <>
asio::awaitable<met_peer> agree_as_server(std::unique_ptr<tcp::socket> with, introduction who, const terms& own,
                                          connection_limits limits) {
  offer made = offer_of(own, own.kind, limits);
  std::optional<shm_memory> memory;
  std::optional<inproc_offer> pipe;
  std::optional<mpi_end> end;
  if (own.kind == transport_kind::shm) {
    memory = shm_memory::make();
    made.where = memory->offer();
  } else if (own.kind == transport_kind::inproc) {
    pipe.emplace(with->get_executor());
    made.where.token = pipe->token();
  } else if (own.kind == transport_kind::mpi) {
    end = mpi_end::make();
    if (end) made.mpi = end->offer();
  }
  co_await say_to(*with, made);
  answer got;
  co_await hear_from(*with, got);
  if (got.kind != made.kind && got.kind != 0) throw handshake_error("it takes a way that was not offered");
  met_peer met;
  met.who = std::move(who);
  met.received = got.received;
  met.limits = limits;
  met.kind = static_cast<transport_kind>(got.kind);
  switch (met.kind) {
    case transport_kind::tcp:
      met.over = std::make_shared<tcp_transport>(std::move(*with), limits.frame_bytes, limits.dead_after);
      break;
    case transport_kind::shm: met.over = std::move(*memory).use(std::move(*with), limits.frame_bytes); break;
    case transport_kind::inproc: met.over = pipe->taken(); break;
    case transport_kind::mpi:
      if (end && end->can_reach(got.mpi)) met.over = std::move(*end).use(got.mpi, std::move(*with), limits.frame_bytes);
      break;
  }
  if (met.over == nullptr) throw handshake_error("it takes a way that was not offered");
  co_return met;
}

template <>
asio::awaitable<met_peer> agree_as_client(std::unique_ptr<tcp::socket> with, introduction who, const terms& own,
                                          connection_limits limits) {
  offer made;
  co_await hear_from(*with, made);
  std::optional<shm_memory> memory;
  std::optional<mpi_end> end;
  met_peer met;
  met.who = std::move(who);
  met.received = made.received;
  met.limits = limits_in(made, limits);
  if (made.kind == static_cast<std::uint64_t>(transport_kind::shm)) {
    memory = shm_memory::open(made.where);
    if (memory) met.kind = transport_kind::shm;
  } else if (made.kind == static_cast<std::uint64_t>(transport_kind::inproc)) {
    met.over = take_inproc_offer(made.where.token, with->get_executor());
    if (met.over != nullptr) met.kind = transport_kind::inproc;
  } else if (made.kind == static_cast<std::uint64_t>(transport_kind::mpi)) {
    end = mpi_end::make();
    if (end && end->can_reach(made.mpi)) met.kind = transport_kind::mpi;
  }
  answer mine{own.received, static_cast<std::uint64_t>(met.kind), {}};
  if (met.kind == transport_kind::mpi) mine.mpi = end->offer();
  co_await say_to(*with, mine);
  if (met.kind == transport_kind::tcp) {
    met.over = std::make_shared<tcp_transport>(std::move(*with), limits.frame_bytes, limits.dead_after);
  } else if (met.kind == transport_kind::shm) {
    met.over = std::move(*memory).use(std::move(*with), limits.frame_bytes);
  } else if (met.kind == transport_kind::mpi) {
    met.over = std::move(*end).use(made.mpi, std::move(*with), limits.frame_bytes);
  }
  co_return met;
}

namespace {

using namespace std::chrono_literals;

constexpr auto server_patience = 5s;

// Meets the peer over TCP, or over TLS if `tls` is not null.
asio::awaitable<met_peer> meet(tcp::socket socket, std::shared_ptr<tls_context> tls, meeting_side side) {
  socket.set_option(tcp::no_delay(true));
  const tcp::endpoint here = unmapped(socket.local_endpoint());
  const tcp::endpoint there = unmapped(socket.remote_endpoint());
  met_peer met;
  bool too_late = false;
  try {
    if (tls == nullptr) {
      auto plain = std::make_unique<tcp::socket>(std::move(socket));
      const meeting_limit limit(*plain, side, too_late);
      met = co_await greet(std::move(plain), side);
    } else {
      met = co_await meet_over_tls(std::move(socket), *tls, side, too_late);
    }
  } catch (const std::system_error&) {
    if (too_late) throw std::system_error(asio::error::timed_out);
    throw;
  }
  met.here = here;
  met.there = there;
  co_return met;
}

}  // namespace

asio::awaitable<met_peer> meet_as_client(tcp::socket socket, introduction self, credentials own, terms_for say,
                                         connection_limits limits, std::chrono::milliseconds patience,
                                         std::vector<std::string> names) {
  meeting_side side{
      false,  std::move(self), std::move(own.secret), std::move(say), std::move(limits), patience, std::move(names),
      nullptr};
  co_return co_await meet(std::move(socket), std::move(own.tls), std::move(side));
}

asio::awaitable<met_peer> meet_as_server(tcp::socket socket, std::string name, credentials own, terms_for say,
                                         connection_limits limits, std::shared_ptr<dismissal> early) {
  meeting_side side{true, {std::move(name)}, std::move(own.secret), std::move(say), std::move(limits), server_patience,
                    {},   std::move(early)};
  co_return co_await meet(std::move(socket), std::move(own.tls), std::move(side));
}

}  // namespace weir::cluster
