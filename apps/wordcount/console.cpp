// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include "support/output.hpp"

#include <fmt/format.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <stop_token>

namespace wordcount {
namespace {

using namespace std::chrono_literals;

}  // namespace

console::console(const tally& progress, bool show_progress) : progress_(progress) {
  if (!show_progress) return;
  drawer_ = std::jthread([this](const std::stop_token& stop) {
    std::condition_variable_any changed;
    std::unique_lock lock(mutex_);
    while (!changed.wait_for(lock, stop, 200ms, [&] { return stop.stop_requested(); })) draw();
  });
}

console::~console() {
  drawer_ = {};
  erase();
}

void console::say(const std::string& message) {
  const std::lock_guard lock(mutex_);
  erase();
  weir::support::complain("wordcount", message);
}

void console::draw() {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const auto bytes = static_cast<double>(progress_.bytes.load(std::memory_order_relaxed));
  weir::support::write_standard_error(fmt::format("\r\033[K{} in {} files, {}/s", bytes_text(bytes),
                                                  progress_.files.load(std::memory_order_relaxed),
                                                  bytes_text(bytes / seconds)));
  drawn_ = true;
}

void console::erase() {
  if (drawn_) weir::support::write_standard_error("\r\033[K");
  drawn_ = false;
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 != units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes)
                   : fmt::format("{:.{}f} {}", bytes, bytes < 99.95 ? 1 : 0, units[unit]);
}

}  // namespace wordcount
