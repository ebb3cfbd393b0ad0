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

namespace weir::detail {

/// Wakes nodes that wait for input when their deadlines come. Uses one thread, which is started at
/// the first use and sleeps until the next alarm is due.
///
/// **Invariant.** A node has at most one alarm. From `set` until it rings or until `forget`, the
/// alarm is in both maps. It rings under the lock, so after `forget` no call reaches the node. A
/// woken node checks its deadline itself: an alarm may ring too early, if the deadline has moved
/// since, but never too late.
///
/// **Thread safety.** Any thread may call any function. For one node, one thread at a time.
class alarms {
 public:
  using clock = std::chrono::steady_clock;

  alarms() = default;
  alarms(const alarms&) = delete;
  alarms& operator=(const alarms&) = delete;
  /// Requires that no node has an alarm. Joins the thread.
  ~alarms();

  /// Notifies `whom` at time `at`, unless its alarm is set to an earlier time.
  /// @throws std::runtime_error if the system gives no thread
  void set(host& whom, clock::time_point at);

  /// Removes the alarm of `whom`. Waits for an alarm that is ringing.
  void forget(host& whom) noexcept;

 private:
  void main();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<host*, clock::time_point> times_;
  std::set<std::pair<clock::time_point, host*>> due_;
  bool stop_ = false;
  std::unique_ptr<std::thread> thread_;
};

}  // namespace weir::detail
