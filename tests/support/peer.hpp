// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/checksum.hpp"
#include "cluster/wire/frame.hpp"
#include "cluster/wire/handshake.hpp"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <asio/read.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace weir_test {

inline const std::string secret = "a secret";

/// The other end of a connection to the tested component. A peer knows the secret, and sends
/// exactly what the test makes it send. Not thread-safe.
class peer {
 public:
  /// Connects to a port of this machine. @return nothing if the peer is not admitted
  static std::optional<peer> connect(std::uint16_t port, const weir::cluster::introduction& self) {
    peer made;
    std::error_code problem;
    made.socket_.connect({asio::ip::address_v4::loopback(), port}, problem);
    if (problem || !made.meet([&]() -> asio::awaitable<void> {
          weir::cluster::introduction who = self;
          co_await weir::cluster::shake_hands_as_client(made.socket_, who, secret);
          std::array<std::uint64_t, 13> offer{};
          co_await asio::async_read(made.socket_, asio::buffer(offer), asio::use_awaitable);
          std::array<std::uint64_t, 6> answer{};  // no frame has arrived; transport TCP
          co_await asio::async_write(made.socket_, asio::buffer(answer), asio::use_awaitable);
        })) {
      return std::nullopt;
    }
    return made;
  }

  /// Waits for a connection and accepts it.
  static std::optional<peer> accept(asio::ip::tcp::acceptor& at, const std::string& name) {
    peer made;
    const int got = ::accept(at.native_handle(), nullptr, nullptr);
    if (got < 0) return std::nullopt;
    made.socket_.assign(asio::ip::tcp::v4(), got);
    if (!made.meet([&]() -> asio::awaitable<void> {
          std::string own = name;
          co_await weir::cluster::shake_hands_as_server(made.socket_, own, secret);
          // No frame has arrived; transport TCP; heartbeats each second, dead after 5; no other
          // connection. See meeting.cpp.
          std::array<std::uint64_t, 13> offer{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 5000, 0};
          co_await asio::async_write(made.socket_, asio::buffer(offer), asio::use_awaitable);
          std::array<std::uint64_t, 6> answer{};
          co_await asio::async_read(made.socket_, asio::buffer(answer), asio::use_awaitable);
        })) {
      return std::nullopt;
    }
    return made;
  }

  peer(peer&&) = default;
  // Resets the connection, so that no port stays in TIME_WAIT.
  ~peer() {
    std::error_code none;
    if (!socket_.is_open()) return;
    socket_.set_option(asio::socket_base::linger(true, 0), none);
    socket_.close(none);
  }

  void send(weir::cluster::frame_type type, std::uint32_t run, std::uint32_t channel, std::uint64_t count,
            std::string_view payload) {
    const auto contents = std::as_bytes(std::span(payload.data(), payload.size()));
    const weir::cluster::frame_bytes head =
        weir::cluster::encode({type, run, channel, count, ++sequence_, static_cast<std::uint32_t>(payload.size()),
                               weir::cluster::checksum_of(contents), true});
    std::vector<std::byte> all(head.begin(), head.end());
    all.insert(all.end(), contents.begin(), contents.end());
    send(all);
  }
  void say(std::string_view text) { send(weir::cluster::frame_type::control, 0, 0, 1, text); }
  void send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
  }

  /// Sends goodbye, and then reads until the other side has closed, which means that it has read
  /// everything, or until `milliseconds` have passed.
  void leave(int milliseconds = -1) {
    send(weir::cluster::frame_type::goodbye, 0, 0, 0, {});
    wait_until(milliseconds, [] { return false; });
  }

  /// Reads messages until `is()` holds, `milliseconds` have passed, or the connection has ended.
  template <class Is>
  void wait_until(int milliseconds, const Is& is) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (!is() && (milliseconds < 0 || std::chrono::steady_clock::now() < end) && hear(milliseconds < 0 ? -1 : 2)) {
    }
  }

  /// Waits until a message arrives, the connection ends, or `milliseconds` have passed, and appends
  /// the messages to `told`. The bytes that arrive must be frames, and the messages among them
  /// JSON.
  /// @return whether the connection is still open
  bool hear(int milliseconds) {
    pollfd waits{socket_.native_handle(), POLLIN, 0};
    if (::poll(&waits, 1, milliseconds) <= 0) return true;
    const auto room = reader_.room();
    const ssize_t got = ::recv(socket_.native_handle(), room.data(), room.size(), 0);
    if (got <= 0) return false;
    reader_.put(static_cast<std::size_t>(got));
    while (const auto frame = reader_.next()) {
      if (frame->header.type != weir::cluster::frame_type::control) continue;
      told.push_back(nlohmann::json::parse(frame->payload.begin(), frame->payload.end()));
      if (!told.back().at("say").is_string()) throw std::runtime_error("a message says nothing");
    }
    return true;
  }
  /// Whether a message `what` has arrived.
  bool was_told(std::string_view what) const {
    for (const nlohmann::json& each : told) {
      if (each.at("say") == what) return true;
    }
    return false;
  }

  std::vector<nlohmann::json> told;

 private:
  peer() = default;

  template <class Act>
  bool meet(const Act& act) {
    bool good = false;
    const auto guarded = [&]() -> asio::awaitable<void> {
      try {
        co_await act();
        good = true;
      } catch (const std::exception&) {
      }
    };
    asio::co_spawn(*io_, guarded, asio::detached);
    io_->run();
    std::error_code none;
    socket_.native_non_blocking(false, none);
    socket_.set_option(asio::ip::tcp::no_delay(true), none);
    return good;
  }

  std::unique_ptr<asio::io_context> io_ = std::make_unique<asio::io_context>(1);
  asio::ip::tcp::socket socket_{*io_};
  weir::cluster::frame_reader reader_{std::size_t{1} << 24};
  std::uint64_t sequence_ = 0;
};

}  // namespace weir_test
