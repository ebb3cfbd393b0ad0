// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace weir_test {

/// Forwards the bytes between the two ends of TCP connections on this machine, and may change,
/// delay or break off the traffic.
class proxy {
 public:
  using bytes = std::vector<char>;
  /// Changes a chunk that is forwarded, in either direction; `before` is the number of bytes
  /// already forwarded in that direction.
  /// @return false to break the connection
  using spoiler = std::function<bool(bytes& chunk, std::uint64_t before)>;

  explicit proxy(spoiler spoil = nullptr) : spoil_(std::move(spoil)) {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at = loopback(0);
    socklen_t size = sizeof at;
    if (::bind(listening_, address_of(at), size) != 0 || ::listen(listening_, 64) != 0 ||
        ::getsockname(listening_, address_of(at), &size) != 0) {
      throw std::runtime_error("a proxy can't listen");
    }
    port_ = ntohs(at.sin_port);
    accepting_ = std::thread([this] { accept(); });
  }
  proxy(const proxy&) = delete;
  proxy& operator=(const proxy&) = delete;
  ~proxy() {
    over_ = true;
    ::shutdown(listening_, SHUT_RDWR);
    accepting_.join();
    for (std::thread& each : forwarding_) each.join();
    ::close(listening_);
  }

  std::uint16_t port() const { return port_; }
  void lead_to(std::uint16_t target) { target_ = target; }

  /// While the proxy is down, all connections are broken and no new ones are made.
  void set_down(bool down) { down_ = down; }
  /// While the proxy is silent, no byte is forwarded, but no connection breaks.
  void set_silent(bool silent) { silent_ = silent; }

  int connections() const { return connections_; }

 private:
  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(port);
    return at;
  }
  static sockaddr* address_of(sockaddr_in& at) { return reinterpret_cast<sockaddr*>(&at); }

  void accept() {
    for (;;) {
      const int from = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      if (over_ || from < 0) {
        if (from >= 0) ::close(from);
        return;
      }
      sockaddr_in at = loopback(target_);
      const int to = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (down_ || ::connect(to, address_of(at), sizeof at) != 0) {
        ::close(from);
        ::close(to);
        continue;
      }
      const int on = 1;
      for (const int each : {from, to}) ::setsockopt(each, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      ++connections_;
      forwarding_.emplace_back([this, from, to] { forward(from, to); });
    }
  }

  void forward(int one, int other) {
    std::array<std::uint64_t, 2> before{};
    bool goes_on = true;
    while (goes_on && !down_ && !over_) {
      std::array<pollfd, 2> ready{pollfd{one, POLLIN, 0}, pollfd{other, POLLIN, 0}};
      if (silent_) {
        ::usleep(1000);
        continue;
      }
      if (::poll(ready.data(), ready.size(), 5) <= 0) continue;  // `over_` and `down_` tell when to end
      for (std::size_t i = 0; i != 2 && goes_on; ++i) {
        if (ready[i].revents != 0) goes_on = pass_on(ready[i].fd, ready[1 - i].fd, before[i]);
      }
    }
    // Resets the connections, as a host does that has forgotten them.
    const linger none{1, 0};
    for (const int each : {one, other}) {
      ::setsockopt(each, SOL_SOCKET, SO_LINGER, &none, sizeof none);
      ::close(each);
    }
  }

  bool pass_on(int from, int to, std::uint64_t& before) {
    bytes chunk(16'384);
    const ssize_t got = ::recv(from, chunk.data(), chunk.size(), 0);
    if (got <= 0) return false;
    chunk.resize(static_cast<std::size_t>(got));
    const bool goes_on = !spoil_ || spoil_(chunk, before);
    before += static_cast<std::uint64_t>(got);
    for (std::size_t sent = 0; sent != chunk.size();) {
      // Both sides may send without reading; this thread must not block for ever then.
      pollfd ready{to, POLLOUT, 0};
      if (over_ || down_) return false;
      if (::poll(&ready, 1, 5) <= 0) continue;
      const ssize_t some = ::send(to, chunk.data() + sent, chunk.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (some <= 0) return false;
      sent += static_cast<std::size_t>(some);
    }
    return goes_on;
  }

  const spoiler spoil_;
  int listening_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<std::uint16_t> target_{0};
  std::atomic<bool> over_{false};
  std::atomic<bool> down_{false};
  std::atomic<bool> silent_{false};
  std::atomic<int> connections_{0};
  std::thread accepting_;
  std::list<std::thread> forwarding_;
};

}  // namespace weir_test
