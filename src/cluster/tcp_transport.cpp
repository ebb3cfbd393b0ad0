// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/tcp_transport.hpp"

#include "cluster/read_frames.hpp"

#include <asio/post.hpp>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

namespace weir::cluster {
namespace {

// Of one system call.
constexpr std::size_t frames_at_once = 32;
constexpr std::size_t parts_at_once = 256;
// Then others get their turn on the I/O thread.
constexpr std::size_t reads_at_once = 16;

// The parts of frames that are to be written, from `skip` bytes on.
class gathered {
 public:
  gathered(std::span<const std::shared_ptr<outgoing_frame>> frames, std::size_t skip) : skip_(skip) {
    for (std::size_t i = 0; i != std::min(frames.size(), frames_at_once); ++i) {
      headers_[i] = encode(frames[i]->header);
      add(headers_[i]);
      frames[i]->payload.for_each_part([this](std::span<const std::byte> part) { add(part); });
    }
  }
  msghdr message() {
    msghdr made{};
    made.msg_iov = parts_.data();
    made.msg_iovlen = count_;
    return made;
  }

 private:
  void add(std::span<const std::byte> part) {
    const std::size_t skipped = std::min(skip_, part.size());
    skip_ -= skipped;
    if (skipped == part.size() || count_ == parts_.size()) return;
    parts_[count_++] = {const_cast<std::byte*>(part.data()) + skipped, part.size() - skipped};
  }

  std::array<frame_bytes, frames_at_once> headers_;
  std::array<iovec, parts_at_once> parts_;
  std::size_t count_ = 0;
  std::size_t skip_;
};

}  // namespace

tcp_transport::tcp_transport(asio::ip::tcp::socket socket, std::size_t largest, std::chrono::milliseconds patience)
    : socket_(std::move(socket)), reader_(largest) {
  std::error_code none;
  socket_.set_option(asio::ip::tcp::no_delay(true), none);
  socket_.non_blocking(true, none);
  const auto milliseconds = static_cast<unsigned int>(patience.count());
  ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
}

void tcp_transport::begin(std::weak_ptr<user> who) {
  user_ = std::move(who);
  wait_until_readable();
}

// ---- sending ----

std::size_t tcp_transport::write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept {
  std::size_t done = 0;
  while (done != frames.size()) {
    gathered parts(frames.subspan(done), written_);
    const msghdr message = parts.message();
    const ssize_t wrote = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (wrote < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        asio::post(socket_.get_executor(), [self = shared_from_this()] {
          self->socket_.async_wait(asio::socket_base::wait_write, [self](std::error_code) {
            if (const auto to = self->user_.lock(); to != nullptr && !self->over_) to->has_room();
          });
        });
      } else {
        write_error_.store(errno, std::memory_order_relaxed);
        ::shutdown(socket_.native_handle(), SHUT_RD);  // the reader finds out
      }
      break;
    }
    written_ += static_cast<std::size_t>(wrote);
    for (; done != frames.size(); ++done) {
      const std::size_t size = sizeof(frame_bytes) + frames[done]->payload.size();
      if (written_ < size) break;
      written_ -= size;
    }
  }
  return done;
}

// ---- receiving ----

void tcp_transport::wait_until_readable() {
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](std::error_code problem) {
    if (self->over_) return;
    if (problem) return self->lose(problem.message());
    self->read();
  });
}

void tcp_transport::read() noexcept {
  const auto to = user_.lock();
  if (to == nullptr) return;
  try {
    for (std::size_t i = 0; i != reads_at_once; ++i) {
      const std::span<std::byte> room = reader_.room();
      const ssize_t got = ::recv(socket_.native_handle(), room.data(), room.size(), MSG_DONTWAIT);
      if (got == 0) {
        const int problem = write_error_.load(std::memory_order_relaxed);
        return lose(problem == 0 ? "it has closed the connection" : std::system_category().message(problem));
      }
      if (got < 0) {
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) break;
        return lose(std::system_category().message(errno));
      }
      reader_.put(static_cast<std::size_t>(got));
      to->is_heard();
      hand_over_frames(reader_, *to, over_);
      if (over_) return;
      if (static_cast<std::size_t>(got) < room.size()) break;
    }
    wait_until_readable();
  } catch (const std::exception& problem) {
    lose(problem.what(), loss_cause::damaged);
  }
}

// ---- the end ----

void tcp_transport::lose(const std::string& why, loss_cause cause) noexcept {
  if (over_) return;
  end();
  if (const auto to = user_.lock()) to->is_lost(why, cause);
}

void tcp_transport::end() noexcept {
  if (std::exchange(over_, true)) return;
  ::shutdown(socket_.native_handle(), SHUT_RDWR);
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    std::error_code none;
    self->socket_.cancel(none);
  });
}

}  // namespace weir::cluster
