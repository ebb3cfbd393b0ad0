// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/live_connection.hpp"

#include "support/output.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

namespace {

using clock = std::chrono::steady_clock;

// Limit for the size of a sample, enough for many thousands of nodes; a larger one is malformed.
constexpr std::size_t sample_bytes_most = std::size_t{1} << 28;

[[noreturn]] void cant_reach(const std::string& name, const std::string& why) {
  throw not_reached("can't watch " + name + ": " + why);
}

std::string reason(int problem) {
  switch (problem) {
    case ENOENT: return "there is no such socket; give the process id or the socket of a program started with WEIR_TOP";
    case ECONNREFUSED: return "nobody listens there any more; the program has ended";
    case EACCES:
    case EPERM: return "it belongs to another user; only its owner and root may watch a program";
    case EAGAIN: return "it does not answer, and others wait already; is it stopped?";
    case ENOTSOCK: return "it is no socket";
    default: return std::strerror(problem);
  }
}

}  // namespace

live_connection::live_connection(const std::string& socket)
    : name_(weir::support::quoted_name(socket)),
      socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof address.sun_path) cant_reach(name_, "the name is too long for a socket");
  std::memcpy(address.sun_path, socket.c_str(), socket.size());
  if (!socket_ || ::connect(*socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    cant_reach(name_, reason(errno));
  }
}

void live_connection::ask() noexcept {
  constexpr std::string_view request = "report\n";
  // A failed send is ignored: reading notices that the program has ended.
  [[maybe_unused]] const ssize_t put = ::send(*socket_, request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

std::optional<live_sample> live_connection::receive() {
  char some[1 << 16];
  while (!ended_) {
    const ssize_t got = ::recv(*socket_, some, sizeof some, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) break;
    if (got <= 0) {
      ended_ = true;
      break;
    }
    received_.append(some, static_cast<std::size_t>(got));
    if (received_.size() > sample_bytes_most) cant_reach(name_, "the listener is no weir program");
  }
  const std::size_t end = received_.rfind('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::size_t before = end == 0 ? std::string::npos : received_.rfind('\n', end - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::string line = received_.substr(begin, end - begin);
  received_.erase(0, end + 1);
  return parse_sample(line);
}

std::optional<live_sample> live_connection::wait_for_sample(std::chrono::milliseconds most) {
  const clock::time_point until = clock::now() + most;
  for (;;) {
    if (std::optional<live_sample> came = receive()) return came;
    if (ended_) return std::nullopt;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now());
    if (left.count() <= 0) cant_reach(name_, "it does not answer; check that it is a weir program and not stopped");
    pollfd source{*socket_, POLLIN, 0};
    ::poll(&source, 1, static_cast<int>(left.count()));
  }
}
