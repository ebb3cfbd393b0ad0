// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/watched_runs.hpp"

#include <algorithm>
#include <utility>

namespace weir::detail {

bool watched_runs::add(watched_run& run) {
  const std::lock_guard lock(mutex_);
  runs_.push_back(&run);
  return std::exchange(monitor_sleeps_, false);
}

void watched_runs::remove(watched_run& run) noexcept {
  std::unique_lock lock(mutex_);
  acted_.wait(lock, [&] { return acting_on_ != &run; });
  std::erase(runs_, &run);
}

void watched_runs::look() noexcept {
  std::unique_lock lock(mutex_);
  const auto due = std::find_if(runs_.begin(), runs_.end(), [](watched_run* each) { return each->look(); });
  if (due == runs_.end()) return;
  acting_on_ = *due;
  lock.unlock();
  acting_on_->act();
  lock.lock();
  acting_on_ = nullptr;
  acted_.notify_all();
}

bool watched_runs::none(bool sleeps) noexcept {
  const std::lock_guard lock(mutex_);
  monitor_sleeps_ = sleeps && runs_.empty();
  return runs_.empty();
}

}  // namespace weir::detail
