// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/session_status.hpp"

namespace weir::cluster {

void session_status::wait_until(const std::function<bool()>& is) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is() || failure_ != nullptr; });
  if (!is()) std::rethrow_exception(failure_);
}

bool session_status::wait_until(std::chrono::milliseconds most, const std::function<bool()>& is) {
  std::unique_lock lock(mutex_);
  const bool there = changed_.wait_for(lock, most, [&] { return is() || failure_ != nullptr; });
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  return there;
}

void session_status::wait_for_failure(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [this] { return failure_ != nullptr; });
}

void session_status::fail(const std::exception_ptr& problem, const std::function<void()>& act) {
  const std::lock_guard lock(mutex_);
  if (failure_ != nullptr) return;
  failure_ = problem;
  act();
  changed_.notify_all();
}

bool session_status::has_failed() {
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr;
}

}  // namespace weir::cluster
