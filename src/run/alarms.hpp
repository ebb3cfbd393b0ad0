// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/host.hpp"

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace weir {

/// Wakes nodes that wait for input when their deadlines come. One thread, started at the first use,
/// which sleeps until the next alarm is due.
///
/// **Invariant.** A node has one alarm at most. From `set` to its ringing or to `forget` the alarm
/// is in both maps; it rings under the lock, so after `forget` nothing reaches the node. A node
/// that was woken looks at its deadline itself: an alarm may ring too early, for a deadline that
/// has moved since, never too late.
///
/// **Thread safety.** Any thread may call anything; for one node, one at a time.
class alarms {
 public:
  using clock = std::chrono::steady_clock;

  alarms() = default;
  alarms(const alarms&) = delete;
  alarms& operator=(const alarms&) = delete;
  /// Nobody has an alarm any more. Joins the thread.
  ~alarms();

  /// `whom` is notified at that time, unless its alarm is set to an earlier one.
  /// @throws std::runtime_error if the system gives no thread
  void set(host& whom, clock::time_point at);

  /// Its alarm is off. Waits for one that is ringing.
  void forget(host& whom) noexcept;

  /// In a forked child: the thread is the parent's.
  void leave_to_parent() noexcept { static_cast<void>(thread_.release()); }

 private:
  void main();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<host*, clock::time_point> times_;
  std::set<std::pair<clock::time_point, host*>> due_;
  bool stop_ = false;
  std::unique_ptr<std::thread> thread_;
};

}  // namespace weir
