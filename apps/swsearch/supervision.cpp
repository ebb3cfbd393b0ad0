// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "supervision.hpp"

#include "support/output.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace swsearch {

using clock = std::chrono::steady_clock;

supervision::supervision(const search_progress& progress, bool shows) : progress_(&progress), shows_(shows) {
  sigemptyset(&signals_);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    // Not those that are ignored, as a shell has SIGINT for programs in the background.
    if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_IGN) sigaddset(&signals_, number);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::jthread([this](const std::stop_token& end) { watch(end); });
}

supervision::~supervision() {
  thread_.request_stop();
  thread_.join();
  if (shows_) weir::support::write_standard_error("\r\x1b[K");
}

void supervision::watch(const std::stop_token& end) {
  clock::time_point searching{};
  while (!end.stop_requested()) {
    constexpr timespec a_while{.tv_sec = 0, .tv_nsec = 100'000'000};
    const int came = ::sigtimedwait(&signals_, nullptr, &a_while);
    if (came > 0) {
      if (signal_ != 0) ::_exit(128 + came);
      signal_ = came;
      stop_.request_stop();
    }
    if (!shows_) continue;
    if (searching == clock::time_point{} && progress_->cells_planned != 0) searching = clock::now();
    const double seconds = std::chrono::duration<double>(clock::now() - searching).count();
    weir::support::write_standard_error(fmt::format(
        "\r{}\x1b[K", searching == clock::time_point{} ? "reading the database" : progress_text(*progress_, seconds)));
  }
}

std::string progress_text(const search_progress& progress, double seconds) {
  const auto done = static_cast<double>(progress.cells_done);
  const auto planned = static_cast<double>(progress.cells_planned);
  const double rate = seconds > 0 ? done / seconds : 0;
  std::string text = fmt::format("{:.1f} GCUPS", rate / 1e9);
  // What is left is known once all queries have been read.
  if (progress.all_planned && planned > 0) {
    text = fmt::format("{:.0f} %, {}", std::floor(100 * done / planned), text);
    if (rate > 0) text += fmt::format(", {:.0f} s left", std::ceil(std::max(0.0, planned - done) / rate));
  }
  return text;
}

}  // namespace swsearch
