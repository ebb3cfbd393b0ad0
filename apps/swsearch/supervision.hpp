// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search_network.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <stop_token>
#include <string>
#include <thread>

namespace swsearch {

/// Looks after a search: SIGINT and SIGTERM stop it (a second one ends the process at once), and a line on the terminal says how far it is. To be made before other threads are.
class supervision {
 public:
  /// @param strands of each query that are searched for @param shows draws that line, on standard error
  supervision(const search_progress& progress, std::size_t strands, bool shows);
  /// Takes the line away.
  ~supervision();

  std::stop_token stop() const { return stop_.get_token(); }
  /// Which signal has come; 0: none.
  int signal() const noexcept { return signal_; }

 private:
  void watch();
  void show();

  const search_progress* progress_;
  std::size_t strands_;
  bool shows_;
  sigset_t signals_{};
  int has_ended_;  ///< an eventfd
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::chrono::steady_clock::time_point searching_{};  ///< since then
  std::jthread thread_;
};

/// "34 %, 71.2 GCUPS, 12 s left", of a search that takes `seconds` so far.
std::string progress_text(const search_progress& progress, double seconds, std::size_t strands);

}  // namespace swsearch
