// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_BUFFERNODE_HPP
#define WEIR_FF_BUFFERNODE_HPP

#include <ff/node.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

namespace ff {

/// A queue of tasks that is a node: nodes which are run one by one are connected by such queues.
/// Any thread may put and get.
class ff_buffernode : public ff_node {
 public:
  explicit ff_buffernode(int slots = 0, bool fixed = false, int id = -1)
      : slots_(static_cast<std::size_t>(slots)), fixed_(fixed) {
    set_id(id);
  }

  /// Waits for room, if the size is fixed.
  virtual bool put(void* task) {
    std::unique_lock lock(mutex_);
    if (fixed_) changed_.wait(lock, [&] { return tasks_.size() < slots_; });
    tasks_.push_back(task);
    changed_.notify_all();
    return true;
  }
  /// @return false if there is no task now
  virtual bool get(void** task) {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty()) return false;
    take(task);
    return true;
  }
  /// Waits for a task.
  bool gather_task(void** task, unsigned long /*retry*/ = static_cast<unsigned long>(-1),
                   unsigned long /*ticks*/ = TICKS2WAIT) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !tasks_.empty(); });
    take(task);
    return true;
  }
  bool ff_send_out(void* task, int = -1, unsigned long = static_cast<unsigned long>(-1),
                   unsigned long = TICKS2WAIT) override {
    return put(task);
  }

  void* svc(void*) override { return nullptr; }

 private:
  void take(void** task) {
    *task = tasks_.front();
    tasks_.pop_front();
    changed_.notify_all();
  }

  const std::size_t slots_;
  const bool fixed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<void*> tasks_;
};

}  // namespace ff

#endif
