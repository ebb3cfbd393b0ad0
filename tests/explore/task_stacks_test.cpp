// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The shipped stacks of a task team. Each task is taken once, with all that its author wrote; and
// no task is left while a member sleeps and the others are busy.
#include "patterns/basic_task_stacks.hpp"
#include "scenario_tests.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

namespace {

using namespace explore;

using task = cell<int>;  // its value counts how often it has run, from 1 on
using task_stacks = weir::detail::basic_task_stacks<model_atomics, task>;

constexpr std::chrono::milliseconds nap{1};  // no time passes in the explorer

struct team {
  explicit team(std::size_t members, int tasks) : stacks(members) {
    for (int i = 0; i != tasks; ++i) all.push_back(std::make_unique<task>());
  }

  task_stacks stacks;
  std::vector<std::unique_ptr<task>> all;
  atomic<int> ran{0};
  atomic<bool> news{false};

  void push(std::size_t me, int from, int to) {
    for (int i = from; i != to; ++i) {
      all[static_cast<std::size_t>(i)]->set(1);
      stacks.push(me, *all[static_cast<std::size_t>(i)]);
    }
  }

  void run(task& what) {
    check(what.get() == 1, "a task runs twice");
    what.set(2);
    if (ran.fetch_add(1, std::memory_order_relaxed) + 1 == static_cast<int>(all.size())) stacks.wake_all();
  }

  bool all_ran() const { return ran.load(std::memory_order_relaxed) == static_cast<int>(all.size()); }

  // Runs tasks until `done()`, and is then busy for ever.
  template <class Done>
  void run_until(std::size_t me, Done&& done) {
    while (!done()) {
      task* next = stacks.take(me);
      if (next == nullptr) next = stacks.steal(me);
      if (next != nullptr) {
        run(*next);
      } else {
        stacks.sleep(me, nap, done);
      }
    }
  }

  // Runs `count` tasks, of its own or of others, and is then busy for ever.
  void run_some(std::size_t me, int count) {
    while (count != 0) {
      task* next = stacks.take(me);
      if (next == nullptr) next = stacks.steal(me);
      if (next == nullptr) {
        stacks.sleep(me, nap, [] { return false; });
        continue;
      }
      run(*next);
      --count;
    }
  }
};

// One member pushes tasks and is then busy. If a task is left while another one sleeps, that one is
// parked for ever, which the explorer reports.
scenario_body pushed(int tasks, unsigned others) {
  return [=](execution& e) {
    auto t = std::make_shared<team>(others + 1, tasks);
    e.thread([=] { t->push(0, 0, tasks); });
    for (unsigned i = 1; i <= others; ++i) {
      e.thread([=] { t->run_some(i, tasks / static_cast<int>(others)); });
    }
  };
}

// A member pushes two tasks, takes one back, and pushes another one, while a second member steals.
void taken_and_stolen(execution& e) {
  auto t = std::make_shared<team>(2, 3);
  e.thread([=] {
    t->push(0, 0, 2);
    if (task* const mine = t->stacks.take(0)) t->run(*mine);
    t->push(0, 2, 3);
  });
  e.thread([=] { t->run_until(1, [=] { return t->all_ran(); }); });
}

// A member waits for news other than a task; it is woken by name.
void by_name(execution& e) {
  auto t = std::make_shared<team>(2, 1);
  e.thread([=] {
    t->news.store(true, std::memory_order_relaxed);
    t->stacks.wake(1);
  });
  e.thread([=] { t->run_until(1, [=] { return t->news.load(std::memory_order_relaxed); }); });
}

// One member goes on with something else when it has news, just when it is woken for a task; a
// second member sleeps. Either runs the task.
void woken_when_it_leaves(execution& e) {
  auto t = std::make_shared<team>(3, 1);
  e.thread([=] {
    t->news.store(true, std::memory_order_relaxed);
    t->push(0, 0, 1);
  });
  e.thread([=] { t->run_until(1, [=] { return t->news.load(std::memory_order_relaxed) || t->all_ran(); }); });
  e.thread([=] { t->run_until(2, [=] { return t->all_ran(); }); });
}

// The end of all, which also wakes those that have yet to fall asleep.
void the_end(execution& e) {
  auto t = std::make_shared<team>(3, 1);
  const auto over = [=] { return t->news.load(std::memory_order_relaxed); };
  e.thread([=] {
    t->news.store(true, std::memory_order_relaxed);
    t->stacks.wake_all();
  });
  for (std::size_t i = 1; i != 3; ++i) {
    e.thread([=] { t->run_until(i, over); });
  }
}

// Whoever ends the team takes the tasks that are left.
void the_rest(execution& e) {
  auto t = std::make_shared<team>(2, 2);
  e.thread([=] { t->push(0, 0, 2); });
  e.thread([=] {
    if (task* const stolen = t->stacks.steal(1)) t->run(*stolen);
  });
  e.finally([=] {
    while (task* const left = t->stacks.take_rest()) t->run(*left);
    check(t->all_ran(), "a task is lost");
  });
}

const options bounds{.preemptions = 2, .stale = 2, .max_executions = 400'000};

options without_heavy() {
  options all = bounds;
  all.has_fence_heavy = false;
  return all;
}

const options one_stale{.preemptions = 2, .stale = 1, .max_executions = 400'000};
const options shallow{.preemptions = 1, .stale = 1, .max_executions = 400'000};

const std::vector<scenario> scenarios = {
    {"a task", pushed(1, 1), bounds},
    {"a task, no heavy fence", pushed(1, 1), without_heavy()},
    {"two tasks", pushed(2, 1), bounds},
    {"two tasks for two", pushed(2, 2), shallow},
    {"taken and stolen", taken_and_stolen, bounds},
    {"by name", by_name, bounds},
    {"woken when it leaves", woken_when_it_leaves, one_stale},
    {"by name, no heavy fence", by_name, without_heavy()},
    {"the end", the_end, one_stale},
    {"the rest", the_rest, bounds},
};

TEST(explored_task_stacks, leave_no_task_beside_one_that_sleeps) { expect_all_hold(scenarios); }

TEST(explored_task_stacks, have_no_order_that_is_not_needed) { expect_all_needed(scenarios, {"patterns/"}); }

}  // namespace
