// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

namespace weir::detail {

/// A run that the pool's monitor looks at now and then.
class watched_run {
 public:
  /// Begins the look. The run can't end until it returns. @return whether `act` must be called
  virtual bool look() noexcept = 0;
  /// Acts on the result of the look. This run does not end meanwhile; other runs may begin and end.
  virtual void act() noexcept = 0;

 protected:
  ~watched_run() = default;
};

/// The runs of a pool that its monitor looks at.
class watched_runs {
 public:
  /// Any thread. @return whether the monitor must be woken, because it sleeps without a timeout
  bool add(watched_run& run);
  /// Waits for an action on `run` that is under way. Any thread.
  void remove(watched_run& run) noexcept;

  /// Looks at the runs, and acts on at most one. The others have their turn at the next look.
  /// Called by the monitor.
  void look() noexcept;
  /// @return whether there is no run. If so and `sleeps`, the next `add` has the monitor woken.
  bool none(bool sleeps) noexcept;

 private:
  std::mutex mutex_;
  std::condition_variable acted_;
  std::vector<watched_run*> runs_;
  watched_run* acting_on_ = nullptr;
  bool monitor_sleeps_ = false;
};

}  // namespace weir::detail
