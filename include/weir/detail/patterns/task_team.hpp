// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/patterns/task_stacks.hpp"
#include "weir/export.hpp"
#include "weir/patterns/schedule.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

namespace weir::detail {

class task_team;

// A task that a member of a team runs once. It owns itself: the thread that runs or discards it is
// the last to touch it.
class WEIR_API task {
 public:
  virtual void run(task_team& team, std::size_t member) = 0;
  // Called in place of `run` if the team fails.
  virtual void discard() noexcept = 0;

 protected:
  ~task() = default;
};

extern template class basic_task_stacks<native_atomics, task>;

// The workers of one fork_join that run tasks, which may push further tasks. Patterns whose work is
// found during execution use it.
//
// Each member has a stack of its own tasks (`basic_task_stacks`). It takes the latest task; other
// members steal the oldest one, which with divide and conquer is the largest. A member without work
// searches for about fifty microseconds, then sleeps until a task is pushed. `finish` and failures
// wake all members.
class WEIR_API task_team {
 public:
  // @param members at least 1
  explicit task_team(std::size_t members);
  task_team(const task_team&) = delete;
  task_team& operator=(const task_team&) = delete;
  ~task_team();

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
  task* search(std::size_t me) noexcept;
  std::exception_ptr keep_problem(const std::exception_ptr& problem);

  basic_task_stacks<native_atomics, task> stacks_;
  std::stop_token stop_;
  std::atomic<bool> ended_{false};
  std::mutex problem_mutex_;
  std::exception_ptr problem_;  // the first exception; stored before `ended_` is set because of it
};

}  // namespace weir::detail
