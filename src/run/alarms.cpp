// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/alarms.hpp"

#include "run/start_thread.hpp"

namespace weir::detail {

alarms::~alarms() {
  if (thread_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_->join();
}

void alarms::set(host& whom, clock::time_point at) {
  const std::lock_guard lock(mutex_);
  if (thread_ == nullptr) thread_ = std::make_unique<std::thread>(start_thread([this] { main(); }));
  const auto [found, is_new] = times_.try_emplace(&whom, at);
  if (!is_new) {
    if (found->second <= at) return;
    due_.erase({found->second, &whom});
    found->second = at;
  }
  due_.insert({at, &whom});
  if (due_.begin()->second == &whom) changed_.notify_one();
}

void alarms::forget(host& whom) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = times_.find(&whom);
  if (found == times_.end()) return;
  due_.erase({found->second, &whom});
  times_.erase(found);
}

void alarms::main() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (due_.empty()) {
      changed_.wait(lock);
    } else if (const auto [at, whom] = *due_.begin(); at > clock::now()) {
      changed_.wait_until(lock, at);
    } else {
      due_.erase(due_.begin());
      times_.erase(whom);
      native_atomics::fence_full();  // required by `notify`; the news is the time
      whom->notify(cause::input);
    }
  }
}

}  // namespace weir::detail
