// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "supervision.hpp"

#include "support/output.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace swsearch {

using clock = std::chrono::steady_clock;

supervision::supervision(const search_progress& progress, std::size_t strands, bool shows)
    : progress_(&progress), strands_(strands), shows_(shows), has_ended_(::eventfd(0, EFD_CLOEXEC)) {
  sigemptyset(&signals_);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    // Not those that are ignored, as a shell has SIGINT for programs in the background.
    if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_IGN) sigaddset(&signals_, number);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::jthread([this] { watch(); });
}

supervision::~supervision() {
  ::eventfd_write(has_ended_, 1);
  thread_.join();
  ::close(has_ended_);
  if (shows_) weir::support::write_standard_error("\r\x1b[K");
}

void supervision::watch() {
  const int came = ::signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  std::array<pollfd, 2> waited{{{has_ended_, POLLIN, 0}, {came, POLLIN, 0}}};
  while (true) {
    constexpr int a_while = 200;  // ms
    ::poll(waited.data(), waited.size(), shows_ ? a_while : -1);
    if (waited[0].revents != 0) break;
    signalfd_siginfo which{};
    while (::read(came, &which, sizeof which) == sizeof which) {
      const int number = static_cast<int>(which.ssi_signo);
      if (signal_ != 0) ::_exit(128 + number);
      signal_ = number;
      stop_.request_stop();
    }
    if (shows_) show();
  }
  ::close(came);
}

void supervision::show() {
  if (searching_ == clock::time_point{} && progress_->database_residues != 0) searching_ = clock::now();
  const std::string text =
      searching_ == clock::time_point{}
          ? "reading the database"
          : progress_text(*progress_, std::chrono::duration<double>(clock::now() - searching_).count(), strands_);
  weir::support::write_standard_error(fmt::format("\r{}\x1b[K", text));
}

std::string progress_text(const search_progress& progress, double seconds, std::size_t strands) {
  if (seconds < 0.2) return "searching";
  const auto done = static_cast<double>(progress.cells_done);
  const double rate = done / seconds;
  std::string text = fmt::format("{:.1f} GCUPS", rate / 1e9);
  // What is left is known once all queries have been read.
  const double all =
      static_cast<double>(strands * progress.query_residues) * static_cast<double>(progress.database_residues);
  if (progress.all_queries && all > 0) {
    text = fmt::format("{:.0f} %, {}", std::floor(100 * std::min(1.0, done / all)), text);
    if (rate > 0) text += fmt::format(", {:.0f} s left", std::ceil(std::max(0.0, all - done) / rate));
  }
  return text;
}

}  // namespace swsearch
