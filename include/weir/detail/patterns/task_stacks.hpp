// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/mutex.hpp"
#include "weir/detail/channel/parker.hpp"
#include "weir/detail/channel/sleepers.hpp"
#include "weir/export.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

namespace weir::detail {

// The tasks of a team, and those of its members that sleep.
//
// Each member has a stack of its own tasks. It takes the latest task; other members steal the
// oldest one.
//
// **Callers.** The thread of a member calls the functions that name it as `me`. Any member calls
// the others. One thread takes what is left at the end.
//
// **No lost wake-up.** A member that pushes a task then checks whether a member sleeps
// (`basic_sleepers`), and wakes one. A member that goes to sleep says so, announces it, and then
// looks for tasks and for other news once more. The fence of the announcement comes after the store
// of `asleep`: whoever pushes a task that this look does not see, finds the member asleep. A member
// that was woken and has other news may go on with that, although it was woken for a task; so it
// wakes another member if a task is left. The wake-up shows it the task, and who else was asleep.
// News that come after this check may still make it leave a task alone. Then the task waits until
// its owner takes it, or until the sleep of another member ends, at most for `longest`.
template <class Atomics, class Task>
class WEIR_API basic_task_stacks {
 public:
  // @param members at least 1
  explicit basic_task_stacks(std::size_t members) : members_(members) {}
  basic_task_stacks(const basic_task_stacks&) = delete;
  basic_task_stacks& operator=(const basic_task_stacks&) = delete;

  std::size_t members() const noexcept { return members_.size(); }

  // Adds a task, and wakes a member that sleeps.
  void push(std::size_t me, Task& what);
  // @return null if there is none
  Task* take(std::size_t me) noexcept;
  // Takes a task of another member. @return null if none was found
  Task* steal(std::size_t me) noexcept;
  // @return null if no task is left at all
  Task* take_rest() noexcept;

  // Sleeps until another member wakes this one, at most for `longest`, unless there is a task or
  // `news()` returns true.
  template <class News>
  void sleep(std::size_t me, std::chrono::nanoseconds longest, News&& news) {
    member& mine = members_[me];
    mine.asleep.store(true, std::memory_order_relaxed);
    sleepers_.announce();
    if (!Atomics::keep("look again before it sleeps") || (!any() && !news())) mine.place.park_for(longest);
    sleepers_.withdraw();
    // Acquire pairs with the release in wake().
    if (!mine.asleep.exchange(false, std::memory_order_acquire) && news() && any()) wake_one();
  }

  // Wakes member `who` if it sleeps. Called after a store that makes the news visible.
  void wake(std::size_t who) noexcept;
  // Wakes all members, also from sleeps that have yet to begin.
  void wake_all() noexcept;

 private:
  template <class T>
  using shared = typename Atomics::template atomic<T>;

  struct stack {
    std::vector<Task*> tasks;  // those below `bottom` are stolen
    std::size_t bottom = 0;

    std::size_t size() const noexcept { return tasks.size() - bottom; }
  };

  struct alignas(cache_line) member {
    typename Atomics::mutex mutex;
    typename Atomics::template plain<stack> own;  // guarded by the mutex
    shared<std::size_t> count{0};                 // its size; a hint
    shared<bool> asleep{false};
    typename Atomics::parker place;
  };

  Task* steal_from(member& other) noexcept;
  bool any() const noexcept;
  void wake_one() noexcept;
  static bool wake(member& who) noexcept;

  std::vector<member> members_;
  basic_sleepers<Atomics> sleepers_;
};

}  // namespace weir::detail
