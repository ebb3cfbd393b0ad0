// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/tcp.hpp"

#include "weir/io/collect.hpp"
#include "weir/io/from.hpp"
#include "weir/serve/accelerator.hpp"

#include "plain_socket.hpp"
#include "support/networks.hpp"
#include "support/reserved_port.hpp"
#include "there_and_back.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using strings = std::vector<std::string>;
using weir_test::counter;
using weir_test::plain_socket;
using weir_test::there_and_back;

// This file does not include cereal, like the library's own code: one part of a program must find
// the same codec as another.
static_assert(weir::has_codec<weir::peer_line>);
TEST(peer_line, is_encoded_with_its_peer) {
  EXPECT_EQ(there_and_back(weir::peer_line{7, "seven"}), (weir::peer_line{7, "seven"}));
  EXPECT_EQ(there_and_back(weir::peer_line{8, ""}), (weir::peer_line{8, ""}));
}

class receiving : public weir_test::each_executor {};
WEIR_UNDER_EACH_EXECUTOR(receiving);
class listening : public weir_test::each_executor {
 protected:
  std::atomic<int> port_{0};
  weir::listen_options options(weir::listen_options chosen = {}) {
    chosen.on_listening = [this](std::uint16_t port) {
      port_ = port;
      port_.notify_all();
    };
    return chosen;
  }
  std::uint16_t port() const {
    port_.wait(0);
    return static_cast<std::uint16_t>(port_);
  }
};
WEIR_UNDER_EACH_EXECUTOR(listening);
class sending : public weir_test::each_executor {};
WEIR_UNDER_EACH_EXECUTOR(sending);

// ---- receive_lines ----

TEST_P(receiving, lines_until_the_server_closes_and_again_in_the_next_run) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  strings out;
  weir::network net = weir::receive_lines("localhost", port) | weir::collect(out);
  for (int times = 0; times != 2; ++times) {
    std::thread other([&] { server.accept().say("one\n\ntwo\r\nhalf"); });
    run(net);
    other.join();
  }
  EXPECT_EQ(out, (strings{"one", "", "two\r", "half", "one", "", "two\r", "half"}));
}

TEST_P(receiving, many_lines_in_order) {
  constexpr int count = 100'000;
  plain_socket server;
  const std::uint16_t port = server.listen();
  std::string text;
  for (int n = 0; n != count; ++n) text += std::to_string(n) + "\n";
  text += std::string(1'000'000, 'x') + "\n";
  std::thread other([&] { server.accept().say(text); });
  int next = 0;
  run(weir::receive_lines("127.0.0.1", port) | weir::sink([&](std::string line) {
        if (next != count) {
          EXPECT_EQ(line, std::to_string(next));
          ++next;
        } else {
          EXPECT_EQ(line.size(), 1'000'000U);
        }
      }));
  other.join();
  EXPECT_EQ(next, count);
}

TEST_P(receiving, says_who_does_not_answer) {
  const weir_test::reserved_port nobody;
  const std::uint16_t port = nobody.number();
  try {
    run(weir::receive_lines("127.0.0.1", port) | weir::sink([](std::string) {}));
    FAIL();
  } catch (const weir::node_error& error) {
    EXPECT_EQ(error.what(),
              "/receive_lines1: can't connect to 127.0.0.1:" + std::to_string(port) + ": Connection refused");
  }
  EXPECT_THROW(run(weir::receive_lines("no.such.host.invalid", 1) | weir::sink([](std::string) {})), weir::node_error);
}

TEST_P(receiving, a_connection_that_is_cut_is_an_error) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  counter seen;
  weir::network net = weir::receive_lines("127.0.0.1", port) | weir::sink([&](std::string) { seen.up(); });
  weir::running handle = weir::start(net, GetParam().options);
  plain_socket peer = server.accept();
  peer.say("line\nhalf");
  seen.wait_for(1);
  peer.reset();
  EXPECT_THROW(handle.wait(), weir::node_error);
}

TEST_P(receiving, from_a_silent_server_ends_when_drained_or_cancelled) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  counter seen;
  weir::network net = weir::receive_lines("127.0.0.1", port) | weir::sink([&](std::string) { seen.up(); });
  for (int times = 0; times != 4; ++times) {
    weir::running handle = weir::start(net, GetParam().options);
    const plain_socket peer = server.accept();
    peer.say("line\nhalf");
    seen.wait_for(times + 1);
    if (times % 2 == 0) handle.drain();
    if (times % 2 == 1) handle.cancel();
    handle.wait();
    EXPECT_EQ(peer.hear(), "");
  }
}

TEST_P(receiving, ends_at_once_while_it_connects) {
  // A server whose queue of connections is full does not answer.
  plain_socket server;
  const std::uint16_t port = server.listen();
  weir::network net = weir::receive_lines("127.0.0.1", port) | weir::sink([](std::string) {});
  for (int times = 0; times != 50; ++times) {
    weir::running handle = weir::start(net, GetParam().options);
    if (times % 2 == 0) handle.drain();
  }
}

// ---- listen_for_lines ----

TEST_P(listening, sends_the_lines_of_all_who_connect) {
  constexpr int peers = 8;
  constexpr int lines = 2000;
  std::vector<std::thread> others;
  std::vector<std::vector<std::string>> out(peers);
  std::atomic<int> connected{0};
  weir::listen_options chosen = options({.peers = peers});
  chosen.on_connected = [&](std::uint64_t peer, const std::string& address) {
    EXPECT_EQ(peer, static_cast<std::uint64_t>(connected++));
    EXPECT_EQ(address.substr(0, 10), "127.0.0.1:");
  };
  weir::network net = weir::listen_for_lines(chosen) |
                      weir::sink([&](weir::peer_line item) { out[item.peer].push_back(std::move(item.line)); });
  weir::running handle = weir::start(net, GetParam().options);
  for (int who = 0; who != peers; ++who) {
    others.emplace_back([&, who] {
      plain_socket socket;
      EXPECT_TRUE(socket.connect(port()));
      std::string text;
      for (int n = 0; n != lines; ++n) text += std::to_string(who) + " " + std::to_string(n) + "\n";
      socket.say(text + "half");
    });
  }
  for (std::thread& other : others) other.join();
  handle.wait();
  EXPECT_EQ(connected, peers);
  strings who;
  for (const auto& of_peer : out) {
    ASSERT_EQ(of_peer.size(), lines + 1U);
    who.push_back(of_peer[0].substr(0, 1));
    for (int n = 0; n != lines; ++n)
      EXPECT_EQ(of_peer[static_cast<std::size_t>(n)], who.back() + " " + std::to_string(n));
    EXPECT_EQ(of_peer.back(), "half");
  }
  std::sort(who.begin(), who.end());
  EXPECT_EQ(who, (strings{"0", "1", "2", "3", "4", "5", "6", "7"}));
}

TEST_P(listening, serves_both_kinds_of_addresses) {
  plain_socket six(AF_INET6);
  strings out;
  weir::network net =
      weir::listen_for_lines(options()) | weir::sink([&](weir::peer_line item) { out.push_back(item.line); });
  weir::running handle = weir::start(net, GetParam().options);
  if (!six.connect6(port())) GTEST_SKIP() << "there is no IPv6 here";
  handle.cancel();
  handle.wait();
  six.close();
  weir::listen_options chosen = options({.address = "::1", .peers = 1});
  chosen.on_connected = [](std::uint64_t, const std::string& address) { EXPECT_EQ(address.substr(0, 6), "[::1]:"); };
  port_ = 0;
  weir::network only =
      weir::listen_for_lines(chosen) | weir::sink([&](weir::peer_line item) { out.push_back(item.line); });
  weir::running second = weir::start(only, GetParam().options);
  run(weir::from(strings{"six"}) | weir::send_lines("::1", port()));
  second.wait();
  EXPECT_EQ(out, strings{"six"});
}

TEST_P(listening, ends_when_drained_or_cancelled_and_listens_again) {
  counter seen;
  weir::listen_options chosen = options();
  weir::network net = weir::listen_for_lines(chosen) | weir::sink([&](weir::peer_line) { seen.up(); });
  for (int times = 0; times != 4; ++times) {
    port_ = 0;
    weir::running handle = weir::start(net, GetParam().options);
    plain_socket peer;
    ASSERT_TRUE(peer.connect(port()));
    peer.say("line\nhalf");
    seen.wait_for(times + 1);
    if (times % 2 == 0) handle.drain();
    if (times % 2 == 1) handle.cancel();
    handle.wait();
    peer.hear();
    EXPECT_FALSE(plain_socket().connect(port()));
  }
}

TEST_P(listening, the_same_port_at_once_again) {
  const weir_test::reserved_port own;
  const std::uint16_t port = own.number();
  weir::network net = weir::listen_for_lines(options({.address = "127.0.0.1", .port = port, .peers = 1})) |
                      weir::sink([](weir::peer_line) {});
  for (int times = 0; times != 5; ++times) {
    port_ = 0;
    weir::running handle = weir::start(net, GetParam().options);
    port_.wait(0);
    plain_socket peer;
    ASSERT_TRUE(peer.connect(port));
    peer.close();
    handle.wait();
  }
}

TEST_P(listening, ends_when_nobody_is_connected_any_more) {
  strings out;
  counter seen;
  weir::listen_options chosen = options({.address = "localhost", .ends_when_idle = true});
  counter connected;
  chosen.on_connected = [&](std::uint64_t, const std::string&) { connected.up(); };
  weir::network net = weir::listen_for_lines(chosen) | weir::sink([&](weir::peer_line item) {
                        out.push_back(item.line);
                        seen.up();
                      });
  for (int times = 1; times != 3; ++times) {
    port_ = 0;
    weir::running handle = weir::start(net, GetParam().options);
    weir_test::plain_socket first;
    weir_test::plain_socket second;
    ASSERT_TRUE(first.connect(port()));
    ASSERT_TRUE(second.connect(port()));
    connected.wait_for(2 * times);
    first.say("one\n");
    first.close();
    seen.wait_for(2 * times - 1);
    second.say("two");
    second.close();
    handle.wait();
  }
  EXPECT_EQ(out, (strings{"one", "two", "one", "two"}));
}

TEST_P(listening, goes_on_when_a_peer_is_lost) {
  std::vector<std::pair<std::uint64_t, std::error_code>> lost;
  strings out;
  counter seen;
  weir::listen_options chosen = options({.peers = 3, .longest_line = 100});
  chosen.on_lost = [&](std::uint64_t peer, const std::error_code& problem) { lost.emplace_back(peer, problem); };
  counter connected;
  chosen.on_connected = [&](std::uint64_t, const std::string&) { connected.up(); };
  weir::network net = weir::listen_for_lines(chosen) | weir::sink([&](weir::peer_line item) {
                        out.push_back(item.line);
                        seen.up();
                      });
  weir::running handle = weir::start(net, GetParam().options);
  plain_socket cut;
  ASSERT_TRUE(cut.connect(port()));
  connected.wait_for(1);
  plain_socket talker;
  ASSERT_TRUE(talker.connect(port()));
  connected.wait_for(2);
  cut.say("whole\nhalf");
  seen.wait_for(1);
  cut.reset();
  talker.say(std::string(1'000, 'x'));
  EXPECT_EQ(talker.hear(), "");
  plain_socket last;
  ASSERT_TRUE(last.connect(port()));
  last.say(std::string(100, 'y'));
  last.close();
  handle.wait();
  EXPECT_EQ(out, (strings{"whole", std::string(100, 'y')}));
  ASSERT_EQ(lost.size(), 2U);
  std::sort(lost.begin(), lost.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  EXPECT_EQ(lost[0].second, std::errc::connection_reset);
  EXPECT_EQ(lost[1].second, std::errc::message_size);
}

TEST_P(listening, where_it_can_not_says_why) {
  plain_socket other;
  const std::uint16_t port = other.listen();
  const auto sink = weir::sink([](weir::peer_line) {});
  try {
    run(weir::listen_for_lines({.address = "127.0.0.1", .port = port}) | sink);
    FAIL();
  } catch (const weir::node_error& error) {
    EXPECT_EQ(error.what(),
              "/listen_for_lines1: can't listen at 127.0.0.1:" + std::to_string(port) + ": Address already in use");
  }
  EXPECT_THROW(run(weir::listen_for_lines({.address = "nowhere"}) | sink), weir::node_error);
}

TEST_P(listening, survives_signals) {
  struct sigaction before {};
  struct sigaction interrupting {};
  interrupting.sa_handler = [](int) {};
  ::sigaction(SIGUSR1, &interrupting, &before);
  counter seen;
  weir::network net = weir::listen_for_lines(options({.peers = 1})) | weir::sink([&](weir::peer_line) { seen.up(); });
  weir::running handle = weir::start(net, GetParam().options);
  plain_socket peer;
  ASSERT_TRUE(peer.connect(port()));
  for (int n = 0; n != 200; ++n) {
    ::kill(::getpid(), SIGUSR1);
    peer.say("line\n");
  }
  peer.close();
  handle.wait();
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(seen.value(), 200);
}

// ---- send_lines ----

TEST_P(sending, lines_and_then_the_end) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  std::string heard;
  std::thread other([&] { heard = server.accept().hear(); });
  run(weir::from(strings{"one", "", "two"}) | weir::send_lines("localhost", port));
  other.join();
  EXPECT_EQ(heard, "one\n\ntwo\n");
}

TEST_P(sending, items_as_they_come) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  std::thread other([&] {
    const plain_socket peer = server.accept();
    peer.hear();
  });
  run(weir::from(strings{}) | weir::send_lines("localhost", port));  // connects even if there is no line
  other.join();
}

TEST_P(sending, to_a_slow_reader_loses_nothing) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  const std::string line(10'000, 'x');
  constexpr int count = 2'000;
  std::size_t heard = 0;
  std::thread other([&] { heard = server.accept().hear().size(); });
  run(weir::from(strings(count, line)) | weir::send_lines("127.0.0.1", port));
  other.join();
  EXPECT_EQ(heard, count * (line.size() + 1));
}

TEST_P(sending, to_who_does_not_read_is_cancelled) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  weir::network net = weir::from(std::views::iota(0)) | [](int n) {
    return std::string(1000, 'x') + std::to_string(n);
  } | weir::send_lines("127.0.0.1", port);
  weir::running handle = weir::start(net, GetParam().options);
  const plain_socket peer = server.accept();
  handle.cancel();
  handle.wait();
}

TEST_P(sending, to_a_peer_that_closes_is_an_error) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  std::thread other([&] { server.accept().reset(); });
  try {
    run(weir::from(std::views::iota(0)) | [](int n) { return std::to_string(n); } |
        weir::send_lines("127.0.0.1", port));
    FAIL();
  } catch (const weir::node_error& error) {
    // The connection was closed so early that this end may not have noticed that it was connected.
    EXPECT_NE(std::string(error.what()).find(" to 127.0.0.1:" + std::to_string(port) + ": "), std::string::npos)
        << error.what();
  }
  other.join();
}

// Nothing is left to be sent when the connection is cut, so the error shows when this end closes.
TEST_P(sending, to_a_peer_that_cuts_the_connection_before_the_end_is_an_error) {
  plain_socket server;
  const std::uint16_t port = server.listen();
  int asked = 0;
  auto one_line = weir::source([&]() -> std::optional<std::string> {
    if (++asked == 1) return "line";
    plain_socket peer = server.accept();
    EXPECT_EQ(peer.hear_line(), "line\n");
    peer.reset();
    return std::nullopt;
  });
  try {
    run(std::move(one_line).on_own_thread() | weir::send_lines("127.0.0.1", port));
    FAIL() << "no error";
  } catch (const weir::node_error& error) {
    EXPECT_NE(std::string(error.what()).find(" to 127.0.0.1:" + std::to_string(port) + ": "), std::string::npos)
        << error.what();
  }
}

TEST_P(sending, from_one_network_to_another) {
  strings out;
  std::atomic<int> port{0};
  weir::listen_options chosen;
  chosen.address = "127.0.0.1";
  chosen.peers = 1;
  chosen.on_listening = [&](std::uint16_t p) {
    port = p;
    port.notify_one();
  };
  weir::network to =
      weir::listen_for_lines(chosen) | [](weir::peer_line item) { return item.line; } | weir::collect(out);
  weir::running handle = weir::start(to, GetParam().options);
  port.wait(0);
  strings lines;
  for (int n = 0; n != 10'000; ++n) lines.push_back(std::to_string(n));
  run(weir::from(lines) | weir::send_lines("127.0.0.1", static_cast<std::uint16_t>(port)));
  handle.wait();
  EXPECT_EQ(out, lines);
}

}  // namespace
