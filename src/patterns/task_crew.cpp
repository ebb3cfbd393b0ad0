// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/patterns/task_crew.hpp"

#include "weir/graph/error.hpp"
#include "weir/run/fork_join.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace weir::detail {
namespace {

constexpr int looks = 1024;  // number of looks of a member without work, before it sleeps
constexpr int looks_between_yields = 64;
// Interval at which a sleeping member checks whether the run of the surrounding node was cancelled;
// no notification tells it so.
constexpr std::chrono::milliseconds nap{1};

}  // namespace

task_crew::task_crew(std::size_t members) : members_(members) {}

task_crew::~task_crew() {
  for (member& each : members_) {
    for (std::size_t i = each.bottom; i != each.tasks.size(); ++i) each.tasks[i]->discard();
  }
}

// There are as many pieces as workers, and every other worker keeps its piece to the end. Therefore
// one piece is left for this thread.
void task_crew::run(const std::stop_token& stop, function_view<void(std::size_t)> first) {
  stop_ = stop;
  bool begun = false;  // whether this thread has called `first`
  fork_join(members_.size(), [&](std::size_t me, std::size_t worker) {
    try {
      if (worker == 0 && !std::exchange(begun, true)) first(me);
      work_until(me, [] { return false; });
    } catch (...) {
      const std::exception_ptr first_one = keep_problem(std::current_exception());
      finish();
      std::rethrow_exception(first_one);
    }
  });
}

// Returns the first exception, so that a member that ends because another one has failed rethrows
// the original exception.
std::exception_ptr task_crew::keep_problem(const std::exception_ptr& problem) {
  const std::lock_guard lock(problem_mutex_);
  if (problem_ == nullptr) problem_ = problem;
  return problem_;
}

void task_crew::work_until(std::size_t me, function_view<bool()> done) {
  while (!ended_.load(std::memory_order_acquire) && !done()) {
    if (join_fails() || stop_.stop_requested()) throw stopped{};
    task* next = take(me);
    if (next == nullptr) next = search(me);
    if (next != nullptr) {
      next->run(*this, me);
      continue;
    }
    members_[me].asleep.store(true, std::memory_order_relaxed);
    sleepers_.announce();
    if (!anything() && !done()) members_[me].place.park_for(nap);
    sleepers_.withdraw();
    members_[me].asleep.store(false, std::memory_order_relaxed);
  }
}

void task_crew::push(std::size_t me, task& what) {
  member& mine = members_[me];
  {
    const std::lock_guard lock(mine.mutex);
    if (mine.bottom != 0 && mine.bottom == mine.tasks.size()) {
      mine.tasks.clear();
      mine.bottom = 0;
    }
    mine.tasks.push_back(&what);
    mine.count.store(mine.tasks.size() - mine.bottom, std::memory_order_relaxed);
  }
  if (!sleepers_.asymmetric()) native_atomics::fence_full();
  if (sleepers_.any()) wake_one();
}

task* task_crew::take(std::size_t me) noexcept {
  member& mine = members_[me];
  if (mine.count.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard lock(mine.mutex);
  if (mine.bottom == mine.tasks.size()) return nullptr;
  task* const latest = mine.tasks.back();
  mine.tasks.pop_back();
  mine.count.store(mine.tasks.size() - mine.bottom, std::memory_order_relaxed);
  return latest;
}

task* task_crew::steal(std::size_t me) noexcept {
  for (std::size_t i = 1; i != members_.size(); ++i) {
    member& other = members_[(me + i) % members_.size()];
    if (other.count.load(std::memory_order_relaxed) == 0) continue;
    const std::lock_guard lock(other.mutex);
    if (other.bottom == other.tasks.size()) continue;
    task* const oldest = other.tasks[other.bottom++];
    other.count.store(other.tasks.size() - other.bottom, std::memory_order_relaxed);
    return oldest;
  }
  return nullptr;
}

task* task_crew::search(std::size_t me) noexcept {
  for (int look = 0; look != looks && !ended_.load(std::memory_order_relaxed); ++look) {
    if (task* const found = steal(me)) return found;
    if (look % looks_between_yields == looks_between_yields - 1) {
      if (join_fails()) return nullptr;
      std::this_thread::yield();
    }
    pause_thread();
  }
  return nullptr;
}

bool task_crew::anything() const noexcept {
  return ended_.load(std::memory_order_relaxed) || join_fails() ||
         std::any_of(members_.begin(), members_.end(),
                     [](const member& each) { return each.count.load(std::memory_order_relaxed) != 0; });
}

void task_crew::wake_one() noexcept {
  for (member& each : members_) {
    if (wake(each)) return;
  }
}

void task_crew::wake(std::size_t who) noexcept {
  if (!sleepers_.asymmetric()) native_atomics::fence_full();
  if (sleepers_.any()) wake(members_[who]);
}

bool task_crew::wake(member& who) noexcept {
  if (!who.asleep.load(std::memory_order_relaxed) || !who.asleep.exchange(false, std::memory_order_relaxed))
    return false;
  who.place.unpark();
  return true;
}

void task_crew::finish() noexcept {
  ended_.store(true, std::memory_order_release);
  for (member& each : members_) each.place.unpark();
}

}  // namespace weir::detail
