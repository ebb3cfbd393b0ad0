// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reader.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace wordcount {

/// Standard error: messages, and on a terminal a line below them with the progress of reading. Any
/// thread may call.
class console {
 public:
  /// @param show_progress whether there is a progress line
  /// @param all returns the number of bytes to be read, if it is known; called once, by the thread
  /// that draws the line
  console(const tally& progress, bool show_progress,
          std::function<std::optional<std::uint64_t>(const std::stop_token&)> all = {});

  /// Erases the progress line.
  ~console();
  console(const console&) = delete;
  console& operator=(const console&) = delete;

  /// Prints a line that begins with the program's name.
  void say(const std::string& message);

 private:
  void draw();
  void erase();

  const tally& progress_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  bool drawn_ = false;
  std::optional<std::uint64_t> all_;  // bytes
  std::jthread drawer_;
};

/// Returns `83.6 MB in 2 files, 42 %, 1.2 GB/s, 3 s left`, as far as it is known. @param all bytes
std::string progress_text(std::uint64_t bytes, std::uint64_t files, std::optional<std::uint64_t> all, double seconds);

/// Returns `12.3 MB`, in powers of ten.
std::string bytes_text(double bytes);

}  // namespace wordcount
