// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reader.hpp"

#include <chrono>
#include <mutex>
#include <string>
#include <thread>

namespace wordcount {

/// Standard error: messages, and on a terminal a line below them that tells how far the reading is. Any thread may call.
class console {
 public:
  /// @param show_progress whether there is such a line
  console(const tally& progress, bool show_progress);

  /// Takes the progress line away.
  ~console();
  console(const console&) = delete;
  console& operator=(const console&) = delete;

  /// One line, behind the program's name.
  void say(const std::string& message);

 private:
  void draw();
  void erase();

  const tally& progress_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  bool drawn_ = false;
  std::jthread drawer_;
};

/// `12.3 MB`, in powers of ten.
std::string bytes_text(double bytes);

}  // namespace wordcount
