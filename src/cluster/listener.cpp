// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/listener.hpp"

#include "graph/private_sockets.hpp"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

namespace weir::cluster {

using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t meetings_at_once = 32;

}  // namespace

void listener::open(const tcp::endpoint& at) {
  if (const std::error_code problem = open_private(acceptor_, at.protocol()); problem) throw std::system_error(problem);
  acceptor_.set_option(tcp::acceptor::reuse_address(true));
  acceptor_.bind(at);
  acceptor_.listen(tcp::acceptor::max_listen_connections);
  acceptor_.non_blocking(true);
}

void listener::begin(std::string name, credentials own, connection_limits limits, users tell) {
  name_ = std::move(name);
  own_ = std::move(own);
  limits_ = limits;
  tell_ = std::move(tell);
  asio::co_spawn(context_, accept(), asio::detached);
}

asio::awaitable<void> listener::accept() {
  for (;;) {
    std::error_code problem;
    while (meetings_ == meetings_at_once) {
      asio::steady_timer pause(context_, 10ms);
      co_await pause.async_wait(asio::use_awaitable);
    }
    co_await acceptor_.async_wait(tcp::acceptor::wait_read, asio::redirect_error(asio::use_awaitable, problem));
    if (problem == asio::error::operation_aborted) co_return;
    tcp::socket socket(context_);
    if (!problem) problem = accept_private(acceptor_, socket);
    if (problem == asio::error::would_block) continue;  // it has gone
    if (problem) {
      asio::steady_timer pause(context_, 50ms);  // no descriptors left, for one
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, problem));
      continue;
    }
    asio::co_spawn(context_, admit(std::move(socket)), asio::detached);
  }
}

asio::awaitable<void> listener::admit(tcp::socket socket) {
  ++meetings_;
  try {
    std::uint64_t told = 0;
    const terms_for answer = [this, &told](const introduction& who) {
      const terms said = terms_for_caller(who);
      told = said.received;
      return said;
    };
    met_peer met = co_await meet_as_server(std::move(socket), name_, own_, answer, limits_);
    if (const auto known = tell_.connected(met.who)) {
      // What was agreed on may be out of date: the peer has since connected once more.
      if (known->is_cut() && known->received() == told) known->resume(std::move(met.over), met.received);
    } else {
      if (met.received != 0) throw handshake_error("it goes on with a connection that is not known here");
      tell_.met(std::move(met));
    }
  } catch (const handshake_error& problem) {
    tell_.refused(problem);
  } catch (const std::exception&) {
    // Whoever that was, it is none of this cluster.
  }
  --meetings_;
}

terms listener::terms_for_caller(const introduction& who) const {
  const auto known = tell_.connected(who);
  if (known == nullptr) return {0, tell_.kind(who)};
  if (!known->may_resume()) throw handshake_error(who.name + " is connected already");
  known->cut("it has connected again");
  return {known->received(), transport_kind::tcp};
}

}  // namespace weir::cluster
