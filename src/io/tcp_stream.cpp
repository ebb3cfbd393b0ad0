// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/tcp_stream.hpp"

#include "graph/private_sockets.hpp"
#include "io/events.hpp"

#include <asio/buffer.hpp>
#include <asio/post.hpp>

#include <iterator>
#include <utility>

namespace weir::io {

using asio::ip::tcp;

std::string shown_address(const std::string& host, std::uint16_t port) {
  const bool bare = host.find(':') != std::string::npos;
  return (bare ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string shown_address(const tcp::endpoint& where) {
  const asio::ip::address address = where.address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    const auto v4 = asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
    return shown_address(v4.to_string(), where.port());
  }
  return shown_address(address.to_string(), where.port());
}

std::error_code standard_error(const std::error_code& problem) {
  if (problem.category() != asio::error::get_system_category()) return problem;
  return {problem.value(), std::generic_category()};
}

void fail_with(const std::string& what, const std::error_code& problem) {
  throw std::system_error(standard_error(problem), "can't " + what);
}

// ---- a connection ----

tcp_stream::tcp_stream(tcp::socket connected, std::function<void()> ring)
    : socket_(std::move(connected)), readable_(ring), writable_(ring) {
  std::error_code problem;  // ignored: if the connection is gone already, the next call reports it
  socket_.non_blocking(true, problem);
  socket_.set_option(tcp::no_delay(true), problem);
}

std::optional<std::size_t> tcp_stream::read(std::span<std::byte> to, std::error_code& problem) {
  for (;;) {
    const std::size_t got = socket_.read_some(asio::buffer(to.data(), to.size()), problem);
    if (!problem) return got;
    if (problem == asio::error::interrupted) continue;
    if (problem == asio::error::would_block) {
      problem.clear();
      readable_.arm(socket_, tcp::socket::wait_read);
    } else if (problem == asio::error::eof) {
      problem.clear();
      return 0;
    }
    return std::nullopt;
  }
}

std::optional<std::size_t> tcp_stream::write(std::span<const std::byte> from, std::error_code& problem) {
  for (;;) {
    const std::size_t wrote = socket_.write_some(asio::buffer(from.data(), from.size()), problem);
    if (!problem) return wrote;
    if (problem == asio::error::interrupted) continue;
    if (problem == asio::error::would_block) {
      problem.clear();
      writable_.arm(socket_, tcp::socket::wait_write);
    }
    return std::nullopt;
  }
}

void tcp_stream::shut_down(std::error_code& problem) {
  socket_.shutdown(tcp::socket::shutdown_send, problem);
  // The socket was connected, so the peer has cut the connection.
  if (problem == asio::error::not_connected) problem = asio::error::connection_reset;
}

// ---- establishing one ----

// Used only by the thread of `events`, until `done`.
struct tcp_connecting::attempt : std::enable_shared_from_this<attempt> {
  explicit attempt(std::shared_ptr<node_waker> b) : waker(std::move(b)), resolver(events()), socket(events()) {}

  void resolve(const std::string& host, std::uint16_t port) {
    resolver.async_resolve(host, std::to_string(port),
                           [self = shared_from_this()](std::error_code wrong, tcp::resolver::results_type found) {
                             if (wrong || self->given_up) return self->complete(wrong);
                             self->connect(found, found.begin());
                           });
  }
  // Connects to the first address that accepts.
  void connect(const tcp::resolver::results_type& found, tcp::resolver::results_type::iterator next) {
    std::error_code none;
    socket.close(none);
    const tcp::endpoint at = next->endpoint();
    const auto connected = [self = shared_from_this(), found, next](std::error_code wrong) {
      const auto after = std::next(next);
      if (!wrong || self->given_up || after == found.end()) return self->complete(wrong);
      self->connect(found, after);
    };
    if (const std::error_code wrong = detail::open_private(socket, at.protocol()); wrong) return connected(wrong);
    socket.async_connect(at, connected);
  }
  void complete(std::error_code wrong) {
    problem = wrong;
    done.store(true, std::memory_order_release);  // pairs with the acquire in take()
    waker->ring();
  }
  void give_up() {
    given_up = true;
    resolver.cancel();
    std::error_code none;
    socket.close(none);
  }

  std::shared_ptr<node_waker> waker;
  tcp::resolver resolver;
  tcp::socket socket;
  std::error_code problem;
  bool given_up = false;
  std::atomic<bool> done{false};
};

tcp_connecting::tcp_connecting(const std::string& host, std::uint16_t port, std::shared_ptr<node_waker> waker)
    : what_("connect to " + shown_address(host, port)),
      waker_(std::move(waker)),
      attempt_(std::make_shared<attempt>(waker_)) {
  asio::post(events(), [made = attempt_, host, port] {
    if (!made->given_up) made->resolve(host, port);
  });
}

tcp_connecting::~tcp_connecting() {
  if (attempt_ != nullptr) {
    asio::post(events(), [made = std::move(attempt_)] { made->give_up(); });
  }
}

std::unique_ptr<tcp_stream> tcp_connecting::take() {
  if (!attempt_->done.load(std::memory_order_acquire)) return nullptr;  // pairs with the release in complete()
  if (attempt_->problem) fail_with(what_, attempt_->problem);
  return std::make_unique<tcp_stream>(std::move(std::exchange(attempt_, nullptr)->socket),
                                      [waker = waker_] { waker->ring(); });
}

}  // namespace weir::io
