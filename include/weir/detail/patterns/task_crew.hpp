// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/channel/parker.hpp"
#include "weir/detail/channel/sleepers.hpp"
#include "weir/patterns/schedule.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

namespace weir::detail {

class task_crew;

// A task that a member of a crew runs once. It owns itself: the thread that runs or discards it is
// the last to touch it.
class task {
 public:
  virtual void run(task_crew& crew, std::size_t member) = 0;
  // Called in place of `run` if the crew fails.
  virtual void discard() noexcept = 0;

 protected:
  ~task() = default;
};

// The workers of one fork_join that run tasks, which may push further tasks. Patterns whose work is
// found during execution use it.
//
// Each member has a stack of its own tasks. It takes the latest task; other members steal the
// oldest one, which with divide and conquer is the largest. A member without work searches for
// about fifty microseconds, then sleeps until a task is pushed.
//
// **No lost wake-up.** A member that pushes a task then checks whether a member sleeps
// (`sleepers`). A member that goes to sleep announces it, and then looks for tasks once more.
// `finish` and failures wake all members.
class task_crew {
 public:
  // @param members at least 1
  explicit task_crew(std::size_t members);
  task_crew(const task_crew&) = delete;
  task_crew& operator=(const task_crew&) = delete;
  ~task_crew();

  // Calls `first(member)` on this thread, and runs the tasks that it pushes, until `finish` is
  // called. May be called once.
  // @throws the exception of `first` or of a task; stopped
  void run(const std::stop_token& stop, function_view<void(std::size_t)> first);

  // Called from `first` or a task: runs other tasks until `done()` returns true, which members must
  // cause, or until `finish` is called.
  // @throws stopped
  void work_until(std::size_t member, function_view<bool()> done);

  // Called from `first` or a task, while it runs on `member`: adds a task.
  void push(std::size_t member, task& what);

  // Called from a task: no work is left.
  void finish() noexcept;

  // Called by any member: wakes member `who`, because `done()` of its `work_until` may have become
  // true.
  void wake(std::size_t who) noexcept;

 private:
  struct alignas(cache_line) member {
    std::mutex mutex;
    std::vector<task*> tasks;  // the stack; the tasks below `bottom` are stolen
    std::size_t bottom = 0;
    std::atomic<std::size_t> count{0};
    std::atomic<bool> asleep{false};
    parker place;
  };

  task* take(std::size_t me) noexcept;
  task* steal(std::size_t me) noexcept;
  task* search(std::size_t me) noexcept;
  bool anything() const noexcept;
  std::exception_ptr keep_problem(const std::exception_ptr& problem);
  void wake_one() noexcept;
  static bool wake(member& who) noexcept;

  std::vector<member> members_;
  std::stop_token stop_;
  sleepers sleepers_;
  std::atomic<bool> ended_{false};
  std::mutex problem_mutex_;
  std::exception_ptr problem_;  // the first exception; stored before `ended_` is set because of it
};

}  // namespace weir::detail
