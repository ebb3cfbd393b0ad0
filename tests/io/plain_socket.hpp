// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace weir_test {

/// A blocking socket on the loopback interface, as another program would use it.
class plain_socket {
 public:
  plain_socket(int domain = AF_INET) : number_(::socket(domain, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  plain_socket(plain_socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~plain_socket() { close(); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

  std::uint16_t listen() {
    sockaddr_in at = loopback(0);
    socklen_t size = sizeof at;
    EXPECT_EQ(::bind(number_, reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    EXPECT_EQ(::listen(number_, 8), 0);
    EXPECT_EQ(::getsockname(number_, reinterpret_cast<sockaddr*>(&at), &size), 0);
    return ntohs(at.sin_port);
  }
  plain_socket accept() const { return plain_socket(number(::accept(number_, nullptr, nullptr))); }

  bool connect(std::uint16_t port) {
    const sockaddr_in to = loopback(port);
    return ::connect(number_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  bool connect6(std::uint16_t port) {
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6;
    to.sin6_addr = in6addr_loopback;
    to.sin6_port = htons(port);
    return ::connect(number_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  void say(const std::string& text) const {
    for (std::size_t sent = 0; sent != text.size();) {
      const ssize_t some = ::send(number_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (some <= 0) return;
      sent += static_cast<std::size_t>(some);
    }
  }
  // Reads to the end.
  std::string hear() const {
    std::string text;
    char block[4096];
    for (ssize_t got; (got = ::recv(number_, block, sizeof block, 0)) > 0;)
      text.append(block, static_cast<std::size_t>(got));
    return text;
  }
  // Reads to the end of a line.
  std::string hear_line() const {
    std::string text;
    for (char next = 0; next != '\n' && ::recv(number_, &next, 1, 0) == 1;) text += next;
    return text;
  }
  void reset() {
    const linger now{1, 0};
    ::setsockopt(number_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }

 private:
  struct number {
    explicit number(int n) : value(n) {}
    int value;
  };
  explicit plain_socket(number n) : number_(n.value) {}
  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(port);
    return at;
  }

  int number_;
};

/// A counter that can wait for a count.
class counter {
 public:
  void up() {
    ++count_;
    count_.notify_all();
  }
  void wait_for(int count) const {
    for (int seen; (seen = count_) < count;) count_.wait(seen);
  }
  int value() const { return count_; }

 private:
  std::atomic<int> count_{0};
};

}  // namespace weir_test
