// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include "support/output.hpp"

#include <fmt/format.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <stop_token>
#include <utility>

namespace wordcount {
namespace {

using namespace std::chrono_literals;

}  // namespace

console::console(const tally& progress, bool show_progress,
                 std::function<std::optional<std::uint64_t>(const std::stop_token&)> all)
    : progress_(progress) {
  if (!show_progress) return;
  drawer_ = std::jthread([this, all = std::move(all)](const std::stop_token& stop) {
    if (all) all_ = all(stop);
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
  const std::string text = progress_text(progress_.bytes.load(std::memory_order_relaxed),
                                         progress_.files.load(std::memory_order_relaxed), all_, seconds);
  weir::support::write_standard_error("\r\033[K" + text);
  drawn_ = true;
}

void console::erase() {
  if (drawn_) weir::support::write_standard_error("\r\033[K");
  drawn_ = false;
}

std::string progress_text(std::uint64_t bytes, std::uint64_t files, std::optional<std::uint64_t> all, double seconds) {
  const auto done = static_cast<double>(bytes);
  const double rate = done / seconds;
  std::string text = fmt::format("{} in {} file{}", bytes_text(done), files, files == 1 ? "" : "s");
  const bool is_known = all && *all >= bytes && bytes != 0;  // files may grow meanwhile
  if (is_known) text += fmt::format(", {:.0f} %", 100 * done / static_cast<double>(*all));
  text += fmt::format(", {}/s", bytes_text(rate));
  if (is_known) text += fmt::format(", {:.0f} s left", static_cast<double>(*all - bytes) / rate);
  return text;
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
