// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/listener.hpp"

#include "cluster/wire/host_and_port.hpp"
#include "graph/private_sockets.hpp"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/ip/v6_only.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <map>
#include <system_error>
#include <utility>

namespace weir::cluster {

using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t meetings_at_once = 32;
constexpr auto patience_of_many = 5s;

// Limit that leaves descriptors for other uses.
std::size_t waiting_most() {
  constexpr std::size_t least = 32;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return least;
  return std::clamp<std::size_t>(limit.rlim_cur / 4, least, 4096);
}

bool has_no_ipv6(const std::system_error& problem) {
  return problem.code() == asio::error::address_family_not_supported ||
         problem.code() == std::error_code(EADDRNOTAVAIL, asio::error::get_system_category());
}

tcp::acceptor acceptor_at(const tcp::endpoint& at, asio::io_context& context) {
  tcp::acceptor made(context);
  if (const std::error_code problem = detail::open_private(made, at.protocol()); problem)
    throw std::system_error(problem);
  made.set_option(tcp::acceptor::reuse_address(true));
  if (at.protocol() == tcp::v6()) made.set_option(asio::ip::v6_only(!at.address().is_unspecified()));
  made.bind(at);
  made.listen(tcp::acceptor::max_listen_connections);
  made.non_blocking(true);
  return made;
}

}  // namespace

void listener::open(const tcp::endpoint& at) {
  try {
    acceptors_.push_back(acceptor_at(at, context_));
  } catch (const std::system_error& problem) {
    throw std::system_error(problem.code(),
                            "can't listen at " + host_and_port(at.address().to_string(), std::to_string(at.port())));
  }
}

void listener::open_loopback(std::uint16_t port) {
  for (int attempts = 16;; --attempts) {
    open({asio::ip::address_v4::loopback(), port});
    try {
      return open({asio::ip::address_v6::loopback(), this->port()});
    } catch (const std::system_error& problem) {
      if (has_no_ipv6(problem)) return;
      if (port != 0 || attempts == 0) throw;
      acceptors_.clear();  // another process has that port there
    }
  }
}

void listener::open_everywhere(std::uint16_t port) {
  try {
    open({asio::ip::address_v6::any(), port});
  } catch (const std::system_error& problem) {
    if (!has_no_ipv6(problem)) throw;
    open({asio::ip::address_v4::any(), port});
  }
}

void listener::begin(std::string name, credentials own, connection_limits limits, users tell) {
  name_ = std::move(name);
  own_ = std::move(own);
  limits_ = limits;
  tell_ = std::move(tell);
  for (tcp::acceptor& each : acceptors_) asio::co_spawn(context_, accept(each), asio::detached);
}

asio::awaitable<void> listener::accept(tcp::acceptor& at) {
  for (;;) {
    std::error_code problem;
    co_await at.async_wait(tcp::acceptor::wait_read, asio::redirect_error(asio::use_awaitable, problem));
    if (problem == asio::error::operation_aborted) co_return;
    guest next{tcp::socket(context_), {}, {}, std::chrono::steady_clock::now(), std::make_shared<dismissal>(), {}};
    if (!problem) problem = detail::accept_private(at, next.socket);
    if (problem == asio::error::would_block) continue;  // the caller has gone
    if (problem) {
      asio::steady_timer pause(context_, 50ms);  // for example, no descriptors are left
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, problem));
      continue;
    }
    std::error_code gone;
    next.here = next.socket.local_endpoint(gone);
    if (!gone) next.there = next.socket.remote_endpoint(gone);
    if (gone) continue;
    if (meetings_.size() >= meetings_at_once) make_room_for(next);
    if (meetings_.size() < meetings_at_once) {
      let_in(std::move(next));
      continue;
    }
    while (!may_wait(next)) {
      asio::steady_timer pause(context_, 10ms);
      co_await pause.async_wait(asio::use_awaitable);
    }
    waiting_.push_back(std::move(next));
    let_in_more();
  }
}

std::map<caller, std::size_t> listener::counted(std::list<guest>& all) {
  std::map<caller, std::size_t> made;
  for (guest& each : all) ++made[each.kind()];
  return made;
}

std::list<listener::guest>::iterator listener::first_of(std::list<guest>& all, const caller& kind) {
  return std::ranges::find_if(all, [&](guest& each) { return each.kind() == kind; });
}

// Ends a meeting of a kind that has more places than the kind of `who` would have.
void listener::make_room_for(guest& who) {
  const auto met = counted(meetings_);
  const auto own = met.find(who.kind());
  const auto most = std::ranges::max_element(met, {}, [](const auto& each) { return each.second; });
  if (most->second <= (own == met.end() ? 0 : own->second) + 1) return;
  const auto first = first_of(meetings_, most->first);
  const auto early = first->early;
  meetings_.erase(first);
  (*early)();
}

// Decides whether `who` may wait. If there is no room, removes the first waiting caller of the most
// frequent kind: once it has waited for as long as a meeting takes, or at once if it is of another
// kind or another user.
bool listener::may_wait(guest& who) {
  if (waiting_.size() < waiting_most()) return true;
  const auto waiting = counted(waiting_);
  const auto most = std::ranges::max_element(waiting, {}, [](const auto& each) { return each.second; });
  const auto first = first_of(waiting_, most->first);
  const bool patient = most->first == who.kind() && !who.kind().is_another_user();
  if (patient && std::chrono::steady_clock::now() - first->came < patience_of_many) return false;
  waiting_.erase(first);
  return true;
}

void listener::let_in(guest who) {
  auto early = who.early;
  tcp::socket socket = std::move(who.socket);
  meetings_.push_back(std::move(who));
  asio::co_spawn(context_, admit(std::move(socket), std::move(early)), asio::detached);
}

void listener::let_in_more() {
  if (waiting_.empty()) return;
  auto met = counted(meetings_);
  while (meetings_.size() < meetings_at_once && !waiting_.empty()) {
    const auto next = std::ranges::min_element(waiting_, {}, [&](guest& each) { return met[each.kind()]; });
    ++met[next->kind()];
    guest who = std::move(*next);
    waiting_.erase(next);
    let_in(std::move(who));
  }
}

asio::awaitable<void> listener::admit(tcp::socket socket, std::shared_ptr<dismissal> early) {
  std::error_code gone;
  const std::string from = address_text(unmapped(socket.remote_endpoint(gone)));
  try {
    std::uint64_t told = 0;
    const terms_for answer = [this, &told](const introduction& who) {
      const terms said = terms_for_caller(who);
      told = said.received;
      return said;
    };
    met_peer met = co_await meet_as_server(std::move(socket), name_, own_, answer, limits_, early);
    if (const auto known = tell_.connected(met.who)) {
      // The agreed number may be out of date: the peer may have connected once more since.
      if (known->is_cut() && known->received() == told) known->resume(std::move(met.over), met.received);
    } else {
      if (met.received != 0) throw handshake_error("it goes on with a connection that is not known here");
      tell_.met(std::move(met));
    }
  } catch (handshake_error& problem) {
    problem.caller = from;
    tell_.refused(problem);
  } catch (const std::exception&) {
    // The caller does not belong to this cluster.
  }
  std::erase_if(meetings_, [&](const guest& each) { return each.early == early; });
  let_in_more();
}

terms listener::terms_for_caller(const introduction& who) const {
  const auto known = tell_.connected(who);
  if (known == nullptr) return {0, tell_.kind(who)};
  if (!known->may_resume()) throw handshake_error(who.name + " is connected already");
  known->cut("it has connected again");
  return {known->received(), transport_kind::tcp};
}

}  // namespace weir::cluster
