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

/// Looks after a program that takes a while: SIGINT and SIGTERM stop it (a second one ends the
/// process at once), and a line on the terminal says how far it is. To be made before other threads
/// are.
class supervision {
 public:
  /// @param progress what that line says now, on standard error; called five times a second by a
  /// thread of its own, and outlived. Empty: there is none
  explicit supervision(std::function<std::string()> progress);
  /// Takes the line away.
  ~supervision();
  supervision(const supervision&) = delete;
  supervision& operator=(const supervision&) = delete;

  std::stop_token stop() const { return stop_.get_token(); }
  /// Which signal has come; 0: none.
  int signal() const noexcept { return signal_; }

 private:
  void watch();

  std::function<std::string()> progress_;
  sigset_t signals_{};
  int has_ended_;  ///< an eventfd
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::jthread thread_;
};

}  // namespace weir::support
