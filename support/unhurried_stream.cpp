// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/unhurried_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <string>

namespace weir::support {
namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto read_within = 500ms;

bool can_be_written(int to, int wait_ms = 0) noexcept {
  pollfd one{to, POLLOUT, 0};
  return ::poll(&one, 1, wait_ms) > 0;
}

}  // namespace

unhurried_stream::unhurried_stream(int to) : to_(to) {
  struct stat about {};
  if (::fstat(to, &about) != 0) return;
  if (S_ISSOCK(about.st_mode)) kind_ = kind::socket;
  const bool is_terminal = ::isatty(to) != 0;
  if (!S_ISFIFO(about.st_mode) && !is_terminal) return;
  kind_ = kind::pipe_or_terminal;
  if (is_terminal) bytes_at_once_ = 1;
  const std::string name = "/proc/self/fd/" + std::to_string(to);
  own_ = descriptor(::open(name.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

ssize_t unhurried_stream::write(std::string_view text) const noexcept {
  switch (kind_) {
    case kind::file: return ::write(to_, text.data(), text.size());
    case kind::socket:
      return ::send(to_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF), MSG_DONTWAIT | MSG_NOSIGNAL);
    case kind::pipe_or_terminal: break;
  }
  if (own_) return ::write(*own_, text.data(), text.size());
  // The stream is a terminal of another user (su), or a pipe without a reader. If poll reports that
  // some bytes can be written, POSIX guarantees PIPE_BUF bytes for pipes, and a terminal takes one.
  if (can_be_written(to_)) return ::write(to_, text.data(), std::min(text.size(), bytes_at_once_));
  errno = EAGAIN;
  return -1;
}

bool stoppable_stream::write(std::string_view text) const noexcept {
  while (!text.empty()) {
    const ssize_t wrote = to_.write(text);
    if (wrote < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
    if (!text.empty() && !stop_.wait_for(to_.number(), POLLOUT)) {
      errno = ECANCELED;
      return false;
    }
  }
  return true;
}

void write_standard_error_in_time(std::string_view text) {
  static bool nobody_reads = false;
  const unhurried_stream to(STDERR_FILENO);
  const clock::time_point until = clock::now() + (nobody_reads ? 0ms : read_within);
  while (!text.empty()) {
    const ssize_t wrote = to.write(text);
    if (wrote > 0) {
      text.remove_prefix(static_cast<std::size_t>(wrote));
    } else if (wrote < 0 && errno == EAGAIN && clock::now() < until) {
      can_be_written(to.number(), 50);
    } else if (wrote == 0 || errno != EINTR) {
      nobody_reads = true;
      return;
    }
  }
}

}  // namespace weir::support
