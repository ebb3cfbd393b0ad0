// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/dialer.hpp"

#include "weir/graph/error.hpp"

#include "cluster/wire/connect.hpp"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::cluster {

using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds reconnect_attempt = 1s;
constexpr std::chrono::milliseconds reconnect_first_pause = 50ms;
constexpr std::chrono::milliseconds reconnect_longest_pause = 500ms;
constexpr auto retry_after = 50ms;

}  // namespace

dialer::dialer(asio::io_context& context, std::string name, credentials own)
    : context_(context), name_(std::move(name)), own_(std::move(own)) {}

void dialer::dial(const target& to, std::chrono::steady_clock::time_point until, std::function<void(met_peer)> met,
                  std::function<void(std::exception_ptr)> failed) {
  asio::co_spawn(context_, try_until(to, until, std::move(met), std::move(failed)), asio::detached);
}

void dialer::redial(const target& to, std::shared_ptr<connection> broken) {
  asio::co_spawn(context_, try_again(to, std::move(broken)), asio::detached);
}

// In the coroutines, the arguments of coroutines are named variables: g++ 12 destroys some
// temporaries in a co_await twice.

asio::awaitable<met_peer> dialer::call(target to, terms_for say, std::chrono::milliseconds patience) {
  const asio::any_io_executor executor = context_.get_executor();
  tcp::socket socket = co_await connected_socket(executor, to.host, to.port, patience);
  if (own_.secret.empty() && !socket.remote_endpoint().address().is_loopback()) {
    throw graph_error(name_, "has no secret, so it connects to this machine alone, and " + to.name + " is at " +
                                 to.host + "; give all groups the same WEIR_SECRET_FILE");
  }
  const introduction self{name_, to.wants};
  const terms_for checked = [who = to.name, say](const introduction& answers) {
    if (answers.name != who) throw handshake_error(answers.name + " listens there");
    return say(answers);
  };
  std::vector<std::string> names;
  // On this machine a certificate may have any of its names.
  if (const auto there = socket.remote_endpoint().address();
      !there.is_loopback() && there != socket.local_endpoint().address()) {
    names = {to.name, to.host, there.to_string()};
    if (!to.named_host.empty()) names.push_back(to.named_host);
  }
  co_return co_await meet_as_client(std::move(socket), self, own_, checked, limits_,
                                    std::min<std::chrono::milliseconds>(patience, meet_within), std::move(names));
}

asio::awaitable<void> dialer::try_until(target to, std::chrono::steady_clock::time_point until,
                                        std::function<void(met_peer)> met,
                                        std::function<void(std::exception_ptr)> failed) {
  std::exception_ptr problem;
  try {
    const terms_for nothing_yet = [](const introduction&) { return terms{}; };
    met_peer found;
    for (;;) {
      try {
        found = co_await call(to, nothing_yet, connect_within);
        break;
      } catch (const std::system_error&) {
        if (std::chrono::steady_clock::now() >= until) throw;
      }
      asio::steady_timer pause(context_, retry_after);
      co_await pause.async_wait(asio::use_awaitable);
    }
    if (found.received != 0) throw handshake_error("it goes on with a connection that is not known here");
    met(std::move(found));
  } catch (...) {
    problem = std::current_exception();
  }
  if (problem != nullptr) failed(problem);
}

asio::awaitable<void> dialer::try_again(target to, std::shared_ptr<connection> broken) {
  auto pause = reconnect_first_pause;
  while (broken->is_cut() && broken->may_resume()) {
    try {
      const terms_for where_it_was = [broken](const introduction&) { return terms{broken->received()}; };
      const auto patience = std::max(reconnect_attempt, limits_.reconnect_within / 4);
      met_peer met = co_await call(to, where_it_was, patience);
      if (broken->is_cut()) broken->resume(std::move(met.over), met.received);
      co_return;
    } catch (const std::exception&) {
      // The connection knows how long this may continue.
    }
    asio::steady_timer timer(context_, pause);
    co_await timer.async_wait(asio::use_awaitable);
    pause = std::min(2 * pause, reconnect_longest_pause);
  }
}

}  // namespace weir::cluster
