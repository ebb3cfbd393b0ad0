// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "supervision.hpp"

#include "unhurried_stream.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace weir::support {

supervision::supervision(std::function<std::string()> progress)
    : progress_(std::move(progress)), has_ended_(::eventfd(0, EFD_CLOEXEC)) {
  sigemptyset(&signals_);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    // Leaves out ignored signals; a shell lets programs in the background ignore SIGINT.
    if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_IGN) sigaddset(&signals_, number);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals_, &blocked_before_);
  thread_ = std::jthread([this] { watch(); });
}

supervision::~supervision() {
  ::eventfd_write(has_ended_, 1);
  thread_.join();
  ::close(has_ended_);
  if (progress_) write_standard_error_in_time("\r\x1b[K");
  ::pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
}

void supervision::watch() {
  const unhurried_stream terminal(STDERR_FILENO);  // a terminal that has been stopped must not hold up signals
  const int came = ::signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  std::array<pollfd, 2> waited{{{has_ended_, POLLIN, 0}, {came, POLLIN, 0}}};
  while (true) {
    constexpr int a_while = 200;  // ms
    ::poll(waited.data(), waited.size(), progress_ ? a_while : -1);
    if (waited[0].revents != 0) break;
    signalfd_siginfo which{};
    while (::read(came, &which, sizeof which) == sizeof which) {
      const int number = static_cast<int>(which.ssi_signo);
      if (signal_ != 0) ::_exit(128 + number);
      signal_ = number;
      stop_.request_stop();
    }
    if (progress_) static_cast<void>(terminal.write(fmt::format("\r{}\x1b[K", progress_())));
  }
  ::close(came);
}

}  // namespace weir::support
