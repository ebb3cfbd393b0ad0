// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of `basic_task_stacks`, for task_team.cpp and for the explorer.
#include "weir/detail/patterns/task_stacks.hpp"

#include <algorithm>

namespace weir::detail {

template <class Atomics, class Task>
void basic_task_stacks<Atomics, Task>::push(std::size_t me, Task& what) {
  member& mine = members_[me];
  {
    const typename Atomics::lock lock(mine.mutex);
    stack& own = mine.own.change();
    if (own.bottom != 0 && own.size() == 0) {
      own.tasks.clear();
      own.bottom = 0;
    }
    own.tasks.push_back(&what);
    mine.count.store(own.size(), std::memory_order_relaxed);
  }
  if (!sleepers_.asymmetric()) Atomics::fence_full();
  if (sleepers_.any()) wake_one();
}

template <class Atomics, class Task>
Task* basic_task_stacks<Atomics, Task>::take(std::size_t me) noexcept {
  member& mine = members_[me];
  if (mine.count.load(std::memory_order_relaxed) == 0) return nullptr;
  const typename Atomics::lock lock(mine.mutex);
  stack& own = mine.own.change();
  if (own.size() == 0) return nullptr;
  Task* const latest = own.tasks.back();
  own.tasks.pop_back();
  mine.count.store(own.size(), std::memory_order_relaxed);
  return latest;
}

template <class Atomics, class Task>
Task* basic_task_stacks<Atomics, Task>::steal(std::size_t me) noexcept {
  for (std::size_t i = 1; i != members_.size(); ++i) {
    if (Task* const found = steal_from(members_[(me + i) % members_.size()])) return found;
  }
  return nullptr;
}

template <class Atomics, class Task>
Task* basic_task_stacks<Atomics, Task>::steal_from(member& other) noexcept {
  if (other.count.load(std::memory_order_relaxed) == 0) return nullptr;
  const typename Atomics::lock lock(other.mutex);
  stack& its = other.own.change();
  if (its.size() == 0) return nullptr;
  Task* const oldest = its.tasks[its.bottom++];
  other.count.store(its.size(), std::memory_order_relaxed);
  return oldest;
}

template <class Atomics, class Task>
Task* basic_task_stacks<Atomics, Task>::take_rest() noexcept {
  for (member& each : members_) {
    if (Task* const found = steal_from(each)) return found;
  }
  return nullptr;
}

template <class Atomics, class Task>
bool basic_task_stacks<Atomics, Task>::any() const noexcept {
  return std::any_of(members_.begin(), members_.end(),
                     [](const member& each) { return each.count.load(std::memory_order_relaxed) != 0; });
}

template <class Atomics, class Task>
void basic_task_stacks<Atomics, Task>::wake_one() noexcept {
  for (member& each : members_) {
    if (wake(each)) return;
  }
}

template <class Atomics, class Task>
void basic_task_stacks<Atomics, Task>::wake(std::size_t who) noexcept {
  if (!sleepers_.asymmetric()) Atomics::fence_full();
  if (sleepers_.any()) wake(members_[who]);
}

template <class Atomics, class Task>
bool basic_task_stacks<Atomics, Task>::wake(member& who) noexcept {
  // Release pairs with the acquire in sleep().
  if (!who.asleep.load(std::memory_order_relaxed) || !who.asleep.exchange(false, std::memory_order_release))
    return false;
  who.place.unpark();
  return true;
}

template <class Atomics, class Task>
void basic_task_stacks<Atomics, Task>::wake_all() noexcept {
  for (member& each : members_) each.place.unpark();
}

}  // namespace weir::detail
