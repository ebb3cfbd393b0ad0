// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/tcp_transport.hpp"

#include "cluster/wire/read_frames.hpp"

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

// Limits of one system call.
constexpr std::size_t frames_at_once = 32;
constexpr std::size_t parts_at_once = 256;
// After this many reads, others get their turn on the I/O thread.
constexpr std::size_t reads_at_once = 16;

// The parts of frames to write, from `skip` bytes on.
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
  wait_for_bytes();
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
        ::shutdown(socket_.native_handle(), SHUT_RD);  // the reader notices the end
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

// Reads at once if there are bytes already; else the reactor reads as soon as there are some.
void tcp_transport::wait_for_bytes() {
  const std::span<std::byte> room = reader_.room();
  room_ = room.size();
  socket_.async_read_some(asio::buffer(room.data(), room.size()),
                          [self = shared_from_this()](std::error_code problem, std::size_t got) {
                            if (self->over_) return;
                            if (problem) return self->lose(self->why_lost(problem));
                            self->take(got);
                          });
}

// Handles `got` bytes, which have been written to the reader's room.
void tcp_transport::take(std::size_t got) noexcept {
  const auto to = user_.lock();
  if (to == nullptr) return;
  try {
    for (std::size_t reads = 1;; ++reads) {
      reader_.put(got);
      to->is_heard();
      hand_over_frames(reader_, *to, over_);
      if (over_) return;
      if (got < room_ || reads == reads_at_once) break;
      const std::span<std::byte> room = reader_.room();
      room_ = room.size();
      const ssize_t more = ::recv(socket_.native_handle(), room.data(), room.size(), MSG_DONTWAIT);
      if (more <= 0) break;  // the pending wait handles the error
      got = static_cast<std::size_t>(more);
    }
    wait_for_bytes();
  } catch (const std::exception& problem) {
    lose(problem.what(), loss_cause::damaged);
  }
}

std::string tcp_transport::why_lost(std::error_code problem) const {
  const int of_writing = write_error_.load(std::memory_order_relaxed);
  if (problem != asio::error::eof) return problem.message();
  return of_writing == 0 ? "it has closed the connection" : std::system_category().message(of_writing);
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
