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

// What a member of a crew runs once. It owns itself: whoever runs it or discards it is the last to
// touch it.
class task {
 public:
  virtual void run(task_crew& crew, std::size_t member) = 0;
  // It will never run, because the crew fails.
  virtual void discard() noexcept = 0;

 protected:
  ~task() = default;
};

// Workers of one fork_join that run tasks, which push further tasks: patterns whose work is found
// on the way stand on it.
//
// Each member has a stack of its own tasks: it takes the latest, others steal the oldest, which
// with divide and conquer is the largest. Members without work look for some for about fifty
// microseconds, then sleep until one is pushed.
//
// **No task is left lying.** Who pushes looks, after that, whether somebody sleeps (`sleepers`);
// who goes to sleep announces it, and looks once more. `finish` and failures wake everybody.
class task_crew {
 public:
  // @param members at least 1
  explicit task_crew(std::size_t members);
  task_crew(const task_crew&) = delete;
  task_crew& operator=(const task_crew&) = delete;
  ~task_crew();

  // Calls `first(member)` on this thread and runs the tasks it leads to, until somebody calls
  // `finish`. Once.
  // @throws what `first` or a task throws; stopped
  void run(const std::stop_token& stop, function_view<void(std::size_t)> first);

  // `first`, or a task: runs others until `done()`, which what members do must make true, or
  // `finish`.
  // @throws stopped
  void work_until(std::size_t member, function_view<bool()> done);

  // `first`, or a task, while it runs on `member`: there is another.
  void push(std::size_t member, task& what);

  // A task: nothing is left to do.
  void finish() noexcept;

  // Any member: `done()` of what that one works for may have become true.
  void wake(std::size_t who) noexcept;

 private:
  struct alignas(cache_line) member {
    std::mutex mutex;
    std::vector<task*> tasks;  // the stack; those below `bottom` are stolen
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
  std::exception_ptr problem_;  // the first one; kept before `ended_` is set for it
};

}  // namespace weir::detail
