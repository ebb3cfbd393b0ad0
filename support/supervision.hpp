// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

namespace weir::support {

/// Supervises the part of a program that runs for a while, and has something to tidy up. SIGINT and
/// SIGTERM request a stop, and a second signal ends the process at once. A line on the terminal
/// shows the progress. Must be made before other threads.
class supervision {
 public:
  /// @param progress returns the line to show on standard error; called five times a second by a
  /// separate thread, until this object is destroyed. Empty: there is no line
  explicit supervision(std::function<std::string()> progress);
  /// Removes the line. From then on a signal ends the process as usual.
  ~supervision();
  supervision(const supervision&) = delete;
  supervision& operator=(const supervision&) = delete;

  std::stop_token stop() const { return stop_.get_token(); }
  /// Returns the signal that has arrived; 0: none.
  int signal() const noexcept { return signal_; }

 private:
  void watch();

  std::function<std::string()> progress_;
  sigset_t signals_{};
  sigset_t blocked_before_{};
  int has_ended_;  ///< an eventfd
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::jthread thread_;
};

}  // namespace weir::support
