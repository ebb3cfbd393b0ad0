// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

namespace weir::cluster {

/// The lock on the state that the threads of a group share, the waiting for its changes, and the
/// first failure, which ends all waiting. Any thread.
class session_status {
 public:
  std::mutex& mutex() noexcept { return mutex_; }
  /// Wakes all threads that wait. Under the lock.
  void changed() noexcept { changed_.notify_all(); }

  // `is` is called under the lock.
  /// Waits until `is` returns true. @throws the failure, if there is one first
  void wait_until(const std::function<bool()>& is);
  /// As above, but at most for a time. A failure is thrown in any case.
  /// @return whether `is` has returned true
  bool wait_until(std::chrono::milliseconds most, const std::function<bool()>& is);
  /// Waits for a failure, at most for a time.
  void wait_for_failure(std::chrono::milliseconds most);

  /// Keeps the first failure; with that one, calls `act` under the lock.
  void fail(const std::exception_ptr& problem, const std::function<void()>& act);
  bool has_failed();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
};

}  // namespace weir::cluster
