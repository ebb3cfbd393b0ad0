// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DETAIL_TASK_QUEUE_HPP
#define WEIR_FF_DETAIL_TASK_QUEUE_HPP

#include <weir/export.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

namespace ff::detail {

/// A queue of tasks between nodes that run one by one, and other threads. Any thread may call any
/// function.
class WEIR_API task_queue {
 public:
  /// @param fixed whether there is room for `slots` tasks only
  explicit task_queue(std::size_t slots = 0, bool fixed = false) : fixed_(fixed && slots != 0), slots_(slots) {}
  task_queue(const task_queue&) = delete;
  task_queue& operator=(const task_queue&) = delete;

  bool init(bool = false) { return true; }

  /// @return false if there is no room, or `task` is null
  bool push(void* task);
  /// Waits for room.
  void put(void* task);
  /// @return false if there is no task
  bool pop(void** task);
  /// Waits for a task.
  void* take();

  bool empty() const { return length() == 0; }
  std::size_t length() const;
  std::size_t buffersize() const;
  /// Sets for how many tasks there is room, if the queue is fixed. @return for how many there was
  std::size_t changesize(std::size_t slots);

  /// Makes `length` tell so many tasks more, which are elsewhere.
  void show(std::size_t tasks) noexcept { shown_.store(tasks, std::memory_order_relaxed); }

  /// Has `wake(whom)` called after each task, until it is called with null. Returns once no other
  /// thread is in the old one.
  void tell(void (*wake)(void* whom), void* whom);

 private:
  bool has_room() const { return !fixed_ || slots_ == 0 || tasks_.size() < slots_; }
  void add(void* task);

  const bool fixed_;
  mutable std::mutex mutex_;
  std::size_t slots_;
  std::condition_variable changed_;
  std::deque<void*> tasks_;
  std::atomic<std::size_t> shown_{0};
  void (*wake_)(void* whom) = nullptr;
  void* whom_ = nullptr;
};

}  // namespace ff::detail

#ifndef FFBUFFER
#define FFBUFFER ::ff::detail::task_queue
#endif

#endif
