// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Meetings over TLS: with whom, and who can't stand in between.

#include "certificates.hpp"
#include "cluster/wire/meeting.hpp"
#include "cluster/wire/tls.hpp"
#include "cluster/wire/tls_stream.hpp"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>
#include <asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;

// Has a certificate that both ends trust, and speaks TLS with both.
class man_in_the_middle {
 public:
  man_in_the_middle(asio::io_context& context, const weir::tls_configuration& files, std::uint16_t target)
      : tls_(weir::cluster::load_tls(files)), acceptor_(context, {asio::ip::address_v4::loopback(), 0}) {
    asio::co_spawn(context, relay(target), asio::detached);
  }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  using stream = weir::cluster::tls_stream;

  asio::awaitable<void> relay(std::uint16_t target) {
    stream client(co_await acceptor_.async_accept(asio::use_awaitable), *tls_);
    co_await client.async_handshake(asio::ssl::stream_base::server, asio::use_awaitable);
    stream server(asio::ip::tcp::socket(acceptor_.get_executor()), *tls_);
    const asio::ip::tcp::endpoint there(asio::ip::address_v4::loopback(), target);
    co_await server.next_layer().async_connect(there, asio::use_awaitable);
    co_await server.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
    asio::co_spawn(acceptor_.get_executor(), pass_on(server, client), asio::detached);
    co_await pass_on(client, server);
    asio::steady_timer never(acceptor_.get_executor(),
                             1h);  // keeps the streams alive, because the other direction uses both of them
    co_await never.async_wait(asio::use_awaitable);
  }
  static asio::awaitable<void> pass_on(stream& from, stream& to) {
    std::array<char, 1024> part;
    std::error_code problem;
    for (;;) {
      const std::size_t got =
          co_await from.async_read_some(asio::buffer(part), asio::redirect_error(asio::use_awaitable, problem));
      if (problem) break;
      co_await asio::async_write(to, asio::buffer(part.data(), got),
                                 asio::redirect_error(asio::use_awaitable, problem));
      if (problem) break;
    }
    for (stream* each : {&from, &to}) each->next_layer().close(problem);
  }

  const std::shared_ptr<weir::cluster::tls_context> tls_;
  asio::ip::tcp::acceptor acceptor_;
};

TEST(meeting, over_tls_is_not_to_be_passed_on_by_somebody_who_has_a_certificate) {
  using weir::cluster::introduction;
  certificates made;
  const weir::cluster::credentials own{"secret", weir::cluster::load_tls(made.files())};
  const weir::cluster::terms_for nothing = [](const introduction&) { return weir::cluster::terms{}; };
  const weir::cluster::connection_limits limits;
  for (const bool attacked : {false, true}) {
    asio::io_context context{1};
    asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    const std::uint16_t port = acceptor.local_endpoint().port();
    const man_in_the_middle attacker(context, made.files("attacker"), port);
    asio::ip::tcp::socket calling(context);
    calling.connect({asio::ip::address_v4::loopback(), attacked ? attacker.port() : port});
    auto called = asio::co_spawn(
        context,
        [&]() -> asio::awaitable<weir::cluster::met_peer> {
          asio::ip::tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
          co_return co_await weir::cluster::meet_as_server(std::move(socket), "one", own, nothing, limits);
        },
        asio::use_future);
    auto caller = asio::co_spawn(
        context,
        weir::cluster::meet_as_client(std::move(calling), introduction{"G1", weir::cluster::purpose::link}, own,
                                      nothing, limits, 60s),
        asio::use_future);
    std::thread thread([&] { context.run_for(60s); });
    if (attacked) {
      try {
        caller.get();
        ADD_FAILURE() << "the caller takes the attacker for the other one";
      } catch (const weir::cluster::handshake_error& problem) {
        EXPECT_STREQ(problem.what(),
                     "it does not know the secret of this run, or somebody in between has passed on its words");
      }
      EXPECT_THROW(called.get(), std::exception);
    } else {
      EXPECT_EQ(caller.get().who.name, "one");
      EXPECT_EQ(called.get().who.name, "G1");
    }
    context.stop();
    thread.join();
  }
}

TEST(meeting, over_tls_is_with_whom_the_certificate_is_for) {
  certificates made;
  const weir::cluster::terms_for nothing = [](const weir::cluster::introduction&) { return weir::cluster::terms{}; };
  const weir::cluster::connection_limits limits;
  const auto calls = [&](const weir::tls_configuration& shown, std::vector<std::string> names) -> std::string {
    asio::io_context context{1};
    asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    asio::ip::tcp::socket calling(context);
    calling.connect(acceptor.local_endpoint());
    const weir::cluster::credentials there{"secret", weir::cluster::load_tls(shown)};
    const weir::cluster::credentials here{"secret", weir::cluster::load_tls(made.files())};
    auto called = asio::co_spawn(
        context, weir::cluster::meet_as_server(acceptor.accept(), "one", there, nothing, limits), asio::use_future);
    auto caller = asio::co_spawn(context,
                                 weir::cluster::meet_as_client(std::move(calling), {"G1", weir::cluster::purpose::link},
                                                               here, nothing, limits, 60s, std::move(names)),
                                 asio::use_future);
    context.run_for(60s);
    try {
      return caller.get().who.name;
    } catch (const std::exception& problem) {
      return problem.what();
    }
  };
  const auto of_host = made.files("host", "authority", 2, "DNS:node1.example,DNS:*.cluster.local,IP:10.0.0.2");
  EXPECT_EQ(calls(of_host, {"one", "10.0.0.2"}), "one");
  EXPECT_EQ(calls(of_host, {"one", "node1.example"}), "one");
  EXPECT_EQ(calls(of_host, {"a.cluster.local"}), "one");
  EXPECT_EQ(calls(made.files("group_one", "authority", 2, "DNS:one"), {"one", "10.0.0.3"}), "one");
  EXPECT_EQ(calls(of_host, {"one", "host", "10.0.0.3"}),
            "its certificate is for somebody else: its subjectAltName has none of one, host, 10.0.0.3");
  EXPECT_EQ(calls(made.files(), {"one", "10.0.0.3"}), "one");  // the certificate names no owner
}

}  // namespace
