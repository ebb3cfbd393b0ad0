// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/patterns/task_team.hpp"

#include "weir/graph/error.hpp"
#include "weir/run/fork_join.hpp"

#include "patterns/basic_task_stacks.hpp"

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

template class basic_task_stacks<native_atomics, task>;

task_team::task_team(std::size_t members) : stacks_(members) {}

task_team::~task_team() {
  while (task* const left = stacks_.take_rest()) left->discard();
}

// There are as many pieces as workers, and every other worker keeps its piece to the end. Therefore
// one piece is left for this thread.
void task_team::run(const std::stop_token& stop, function_view<void(std::size_t)> first) {
  stop_ = stop;
  bool begun = false;  // whether this thread has called `first`
  fork_join(stacks_.members(), [&](std::size_t me, std::size_t worker) {
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
std::exception_ptr task_team::keep_problem(const std::exception_ptr& problem) {
  const std::lock_guard lock(problem_mutex_);
  if (problem_ == nullptr) problem_ = problem;
  return problem_;
}

void task_team::work_until(std::size_t me, function_view<bool()> done) {
  while (!ended_.load(std::memory_order_acquire) && !done()) {
    if (join_fails() || stop_.stop_requested()) throw stopped{};
    task* next = stacks_.take(me);
    if (next == nullptr) next = search(me);
    if (next != nullptr) {
      next->run(*this, me);
      continue;
    }
    stacks_.sleep(me, nap, [&] { return ended_.load(std::memory_order_relaxed) || join_fails() || done(); });
  }
}

void task_team::push(std::size_t me, task& what) { stacks_.push(me, what); }

task* task_team::search(std::size_t me) noexcept {
  for (int look = 0; look != looks && !ended_.load(std::memory_order_relaxed); ++look) {
    if (task* const found = stacks_.steal(me)) return found;
    if (look % looks_between_yields == looks_between_yields - 1) {
      if (join_fails()) return nullptr;
      std::this_thread::yield();
    }
    pause_thread();
  }
  return nullptr;
}

void task_team::wake(std::size_t who) noexcept { stacks_.wake(who); }

void task_team::finish() noexcept {
  ended_.store(true, std::memory_order_release);
  stacks_.wake_all();
}

}  // namespace weir::detail
