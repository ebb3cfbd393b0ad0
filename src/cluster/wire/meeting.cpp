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

#include "cluster/wire/deadline.hpp"
#include "cluster/wire/host_and_port.hpp"
#include "cluster/wire/inproc_transport.hpp"
#include "cluster/wire/mpi_transport.hpp"
#include "cluster/wire/shm_transport.hpp"
#include "cluster/wire/tcp_transport.hpp"
#include "cluster/wire/tls_transport.hpp"

#include <asio/error.hpp>
#include <asio/read.hpp>
#include <asio/redirect_error.hpp>
#include <asio/ssl/error.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <openssl/x509v3.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

namespace weir::cluster {

// Sets the action of a dismissal during its lifetime.
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

namespace {

using asio::ip::tcp;
using namespace std::chrono_literals;

constexpr auto server_patience = 5s;

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

offer offer_of(const terms& own, transport_kind kind, const connection_limits& limits) {
  offer made;
  made.received = own.received;
  made.kind = static_cast<std::uint64_t>(kind);
  made.heartbeat = static_cast<std::uint64_t>(limits.heartbeat.count());
  made.dead_after = static_cast<std::uint64_t>(limits.dead_after.count());
  made.reconnect_within = static_cast<std::uint64_t>(limits.reconnect_within.count());
  return made;
}

// Takes over the server's times.
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

template <class Stream, class T>
asio::awaitable<void> say_to(Stream& with, T& what) {
  co_await asio::async_write(with, bytes_of(what), asio::use_awaitable);
}
template <class Stream, class T>
asio::awaitable<void> hear_from(Stream& with, T& what) {
  co_await asio::async_read(with, bytes_of(what), asio::use_awaitable);
}

// Over TLS, only the encrypted connection itself is used.
asio::awaitable<met_peer> agree_as_server(std::unique_ptr<tls_stream> with, introduction who, const terms& own,
                                          connection_limits limits) {
  offer made = offer_of(own, transport_kind::tcp, limits);
  co_await say_to(*with, made);
  answer got;
  co_await hear_from(*with, got);
  met_peer met;
  met.who = std::move(who);
  met.received = got.received;
  met.limits = limits;
  met.over = tls_transport(std::move(with), limits.frame_bytes);
  co_return met;
}

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

asio::awaitable<met_peer> agree_as_client(std::unique_ptr<tls_stream> with, introduction who, const terms& own,
                                          connection_limits limits) {
  offer made;
  co_await hear_from(*with, made);
  answer mine{own.received, 0, {}};
  co_await say_to(*with, mine);
  met_peer met;
  met.who = std::move(who);
  met.received = made.received;
  met.limits = limits_in(made, limits);
  met.over = tls_transport(std::move(with), limits.frame_bytes);
  co_return met;
}

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

template <class Stream>
asio::awaitable<met_peer> greet_as_server(std::unique_ptr<Stream> with, std::string name, credentials own,
                                          terms_for say, connection_limits limits) {
  introduction who = co_await shake_hands_as_server(*with, std::move(name), own.secret);
  const terms said = say(who);
  co_return co_await agree_as_server(std::move(with), std::move(who), said, limits);
}
template <class Stream>
asio::awaitable<met_peer> greet_as_client(std::unique_ptr<Stream> with, introduction self, credentials own,
                                          terms_for say, connection_limits limits) {
  introduction who = co_await shake_hands_as_client(*with, std::move(self), own.secret);
  const terms said = say(who);
  co_return co_await agree_as_client(std::move(with), std::move(who), said, limits);
}

// The client checks whom it has reached, as browsers do.
void must_be_for_one_of(const std::vector<std::string>& names, tls_stream& with) {
  const std::unique_ptr<X509, void (*)(X509*)> shown(SSL_get1_peer_certificate(with.native_handle()), X509_free);
  if (names.empty() || shown == nullptr || X509_get_ext_by_NID(shown.get(), NID_subject_alt_name, -1) < 0) return;
  std::string all;
  for (const std::string& each : names) {
    if (X509_check_ip_asc(shown.get(), each.c_str(), 0) == 1 ||
        X509_check_host(shown.get(), each.c_str(), each.size(), X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, nullptr) == 1) {
      return;
    }
    all += (all.empty() ? "" : ", ") + each;
  }
  throw handshake_error("its certificate is for somebody else: its subjectAltName has none of " + all);
}

bool is_of_tls(std::error_code problem) { return problem && problem.category() == asio::error::get_ssl_category(); }

handshake_error of_tls(std::error_code problem, long verified) {
  const std::string why = verified == X509_V_OK ? "" : std::string(": ") + X509_verify_cert_error_string(verified);
  return handshake_error("TLS: " + problem.message() + why);
}

// Sets up the stream of a meeting, and limits its time.
template <class Greet>
asio::awaitable<met_peer> meet(tcp::socket socket, std::shared_ptr<asio::ssl::context> tls,
                               asio::ssl::stream_base::handshake_type side, Greet greet,
                               std::chrono::milliseconds patience, std::vector<std::string> names,
                               std::shared_ptr<dismissal> early) {
  socket.set_option(tcp::no_delay(true));
  const tcp::endpoint here = unmapped(socket.local_endpoint());
  const tcp::endpoint there = unmapped(socket.remote_endpoint());
  met_peer met;
  bool too_late = false;
  const auto close_late = [&too_late](tcp::socket& late) {
    too_late = true;
    std::error_code none;
    late.close(none);
  };
  try {
    if (tls == nullptr) {
      auto plain = std::make_unique<tcp::socket>(std::move(socket));
      const deadline until(plain->get_executor(), patience, [&close_late, &of = *plain] { close_late(of); });
      const dismissable may_be(early, [&close_late, &of = *plain] { close_late(of); });
      met = co_await greet(std::move(plain));
    } else {
      auto encrypted = std::make_unique<tls_stream>(std::move(socket), *tls);
      const deadline until(encrypted->get_executor(), patience,
                           [&close_late, &of = encrypted->next_layer()] { close_late(of); });
      const dismissable may_be(early, [&close_late, &of = encrypted->next_layer()] { close_late(of); });
      std::error_code problem;
      co_await encrypted->async_handshake(side, asio::redirect_error(asio::use_awaitable, problem));
      if (is_of_tls(problem)) throw of_tls(problem, SSL_get_verify_result(encrypted->native_handle()));
      if (problem) throw std::system_error(problem);
      must_be_for_one_of(names, *encrypted);
      met = co_await greet(std::move(encrypted));
    }
  } catch (const std::system_error& problem) {
    if (too_late) throw std::system_error(asio::error::timed_out);
    if (is_of_tls(problem.code()))
      throw of_tls(problem.code(), X509_V_OK);  // the other side has refused our certificate
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
  const auto tls = own.tls;
  auto greet = [self, own, say, limits](auto stream) {
    return greet_as_client(std::move(stream), self, own, say, limits);
  };
  co_return co_await meet(std::move(socket), tls, asio::ssl::stream_base::client, std::move(greet), patience,
                          std::move(names), std::shared_ptr<dismissal>());
}

asio::awaitable<met_peer> meet_as_server(tcp::socket socket, std::string name, credentials own, terms_for say,
                                         connection_limits limits, std::shared_ptr<dismissal> early) {
  const auto tls = own.tls;
  auto greet = [name, own, say, limits](auto stream) {
    return greet_as_server(std::move(stream), name, own, say, limits);
  };
  co_return co_await meet(std::move(socket), tls, asio::ssl::stream_base::server, std::move(greet), server_patience,
                          std::vector<std::string>(), std::move(early));
}

}  // namespace weir::cluster
