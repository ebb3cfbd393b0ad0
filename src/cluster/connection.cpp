// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/connection.hpp"

#include "cluster/crc32c.hpp"

#include <asio/post.hpp>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iterator>
#include <system_error>
#include <utility>

namespace weir::cluster {
namespace {

constexpr std::size_t frames_at_once = 32;
// Then others get their turn on the I/O thread.
constexpr std::size_t reads_at_once = 16;

std::int64_t now() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }

std::string text_of(int error) { return std::system_category().message(error); }

std::string shown(const asio::ip::tcp::endpoint& at) {
  const std::string address = at.address().to_string();
  return (at.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(at.port());
}

}  // namespace

connection::connection(asio::ip::tcp::socket socket, const connection_limits& limits)
    : socket_(std::move(socket)), timer_(socket_.get_executor()), limits_(limits), reader_(limits.frame_bytes) {
  std::error_code none;
  peer_endpoint_ = socket_.remote_endpoint(none);
  peer_ = shown(peer_endpoint_);
  socket_.set_option(asio::ip::tcp::no_delay(true), none);
  socket_.non_blocking(true, none);
  const auto patience = static_cast<unsigned int>(limits_.dead_after.count());
  ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

void connection::begin(arrived on_arrival, std::function<void(const std::string&)> on_loss) {
  on_arrival_ = std::move(on_arrival);
  on_loss_ = std::move(on_loss);
  heard_ = looked_ = std::chrono::steady_clock::now();
  watch_the_time();
  wait_until_readable();
}

// ---- sending ----

void connection::send(frame_type type, std::uint32_t run, std::uint32_t channel, std::uint64_t count,
                      byte_sink payload) noexcept {
  frame_header header{type, run, channel, count, 0, static_cast<std::uint32_t>(payload.size()), crc32c(payload)};
  last_sent_.store(now(), std::memory_order_relaxed);
  {
    const std::lock_guard lock(mutex_);
    if (broken_) return;
    header.sequence = ++sequence_;
    queue_.push_back({encode(header), std::move(payload)});
    if (std::exchange(writing_, true)) return;
  }
  write_queue();
}

void connection::send_control(const std::string& text) noexcept {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  send(frame_type::control, 0, 0, 1, byte_sink(first, first + text.size()));
}

void connection::write_queue() noexcept {
  for (;;) {
    if (batch_.empty()) {
      const std::lock_guard lock(mutex_);
      if (queue_.empty() || broken_) {
        writing_ = false;
        return;
      }
      const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), frames_at_once));
      std::move(queue_.begin(), end, std::back_inserter(batch_));
      queue_.erase(queue_.begin(), end);
    }
    std::array<iovec, 2 * frames_at_once> parts;
    std::size_t count = 0;
    std::size_t skip = written_;
    for (outgoing& frame : batch_) {
      for (const auto& [first, size] : {std::pair(frame.header.data(), frame.header.size()),
                                        std::pair(frame.payload.data(), frame.payload.size())}) {
        const std::size_t skipped = std::min(skip, size);
        skip -= skipped;
        if (size != skipped) parts[count++] = {first + skipped, size - skipped};
      }
    }
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    const ssize_t wrote = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (wrote < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return wait_until_writable();
      const std::lock_guard lock(mutex_);
      broken_ = true;  // the I/O thread finds out why
      writing_ = false;
      ::shutdown(socket_.native_handle(), SHUT_RD);
      return;
    }
    written_ += static_cast<std::size_t>(wrote);
    std::size_t done = 0;
    while (done != batch_.size()) {
      const std::size_t size = batch_[done].header.size() + batch_[done].payload.size();
      if (written_ < size) break;
      written_ -= size;
      ++done;
    }
    batch_.erase(batch_.begin(), batch_.begin() + static_cast<std::ptrdiff_t>(done));
  }
}

void connection::wait_until_writable() noexcept {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->socket_.async_wait(asio::socket_base::wait_write, [self](std::error_code) { self->write_queue(); });
  });
}

// ---- receiving ----

void connection::wait_until_readable() {
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](std::error_code problem) {
    if (self->over_) return;
    if (problem) return self->lose(problem.message());
    self->read();
  });
}

void connection::read() noexcept {
  try {
    for (std::size_t i = 0; i != reads_at_once; ++i) {
      const std::span<std::byte> room = reader_.room();
      const ssize_t got = ::recv(socket_.native_handle(), room.data(), room.size(), MSG_DONTWAIT);
      if (got == 0) return lose(leaving_ ? "" : "it has closed the connection");
      if (got < 0) {
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) break;
        return lose(leaving_ ? "" : text_of(errno));
      }
      heard_ = std::chrono::steady_clock::now();
      reader_.put(static_cast<std::size_t>(got));
      while (const auto frame = reader_.next()) {
        if (frame->header.type == frame_type::goodbye) return lose("");
        if (frame->header.type != frame_type::heartbeat) on_arrival_(*frame, reader_);
        if (over_) return;
      }
      if (static_cast<std::size_t>(got) < room.size()) break;
    }
    wait_until_readable();
  } catch (const std::exception& problem) {
    lose(problem.what());
  }
}

void connection::watch_the_time() {
  timer_.expires_after(limits_.heartbeat);
  timer_.async_wait([self = shared_from_this()](std::error_code cancelled) {
    if (cancelled || self->over_) return;
    const auto at = std::chrono::steady_clock::now();
    // Where this process was stopped itself, the peer gets its time again.
    if (at - self->looked_ > 2 * self->limits_.heartbeat) self->heard_ = at;
    self->looked_ = at;
    if (at - self->heard_ > self->limits_.dead_after) {
      return self->lose("nothing was heard of it for " + std::to_string(self->limits_.dead_after.count()) + " ms");
    }
    if (at.time_since_epoch().count() - self->last_sent_.load(std::memory_order_relaxed) >=
        std::chrono::nanoseconds(self->limits_.heartbeat).count() / 2) {
      self->send(frame_type::heartbeat, 0, 0, 0, {});
    }
    self->watch_the_time();
  });
}

void connection::lose(const std::string& why) noexcept {
  if (over_) return;
  const auto tell = std::move(on_loss_);
  end();
  if (tell) tell(why);
}

void connection::leave() noexcept {
  leaving_ = true;
  send(frame_type::goodbye, 0, 0, 0, {});
}

void connection::end() noexcept {
  if (std::exchange(over_, true)) return;
  {
    const std::lock_guard lock(mutex_);
    broken_ = true;
  }
  timer_.cancel();
  ::shutdown(socket_.native_handle(), SHUT_RDWR);
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->on_arrival_ = nullptr;  // and what that holds
    std::error_code none;
    self->socket_.cancel(none);
  });
}

}  // namespace weir::cluster
