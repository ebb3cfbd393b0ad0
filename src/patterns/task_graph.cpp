// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/task_graph.hpp"

#include "weir/graph/error.hpp"
#include "weir/patterns/schedule.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace weir {

// ---- one task ----
//
// A task becomes done once, under its mutex. A thread that adds a follower checks `done_` under the
// same mutex. Therefore a follower is either notified by `end`, or does not wait for the task. The
// decrement of `missing_` releases the writes of the task, and acquires them for the run of the
// follower.

void task_graph::node::run(detail::task_team& team, std::size_t member) {
  try {
    call();
  } catch (...) {
    give_up();
    throw;
  }
  task_graph& of = *graph_;
  for (node* const follower : end()) {
    if (follower->missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) team.push(member, *follower);
  }
  self_.reset();  // may drop the last reference
  const std::size_t open = of.open_.fetch_sub(1, std::memory_order_acq_rel) - 1;
  if (open == 0) {
    team.finish();
  } else {
    team.wake(of.member_);  // the submitter may wait for this task
  }
}

std::vector<task_graph::node*> task_graph::node::end() noexcept {
  drop_body();
  const std::lock_guard lock(mutex_);
  done_.store(true, std::memory_order_release);
  return std::move(followers_);
}

void task_graph::node::discard() noexcept { give_up(); }

// Ends a task that failed or will not run, together with all tasks that wait for it.
void task_graph::node::give_up() noexcept {
  std::vector<std::shared_ptr<node>> left;
  left.push_back(std::move(self_));
  while (!left.empty()) {
    const std::shared_ptr<node> gone = std::move(left.back());
    left.pop_back();
    for (node* const follower : gone->end()) {
      if (follower->missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) left.push_back(std::move(follower->self_));
    }
  }
}

// ---- the graph ----

task_graph::task_graph(const task_graph_options& options)
    : window_(options.window),
      team_(detail::parts_of(std::numeric_limits<std::size_t>::max(), {.workers = options.workers})) {
  if (window_ == 0)
    throw std::invalid_argument("weir: a task graph with a window of 0 could run nothing; let it be 1 or more");
}

namespace {

// Sets a flag at the end of its scope, also when that ends by an exception.
struct set_at_end {
  bool& flag;
  bool value;
  ~set_at_end() { flag = value; }
};

}  // namespace

void run_tasks(detail::function_view<void(task_graph&)> submit, const task_graph_options& options) {
  task_graph graph(options);
  graph.open_.store(1, std::memory_order_relaxed);
  graph.team_.run(options.stop, [&](std::size_t member) {
    graph.member_ = member;
    graph.may_submit_ = true;
    const set_at_end end{graph.may_submit_, false};
    submit(graph);
    if (graph.open_.fetch_sub(1, std::memory_order_acq_rel) == 1) graph.team_.finish();
  });
}

// A task that added tasks, or waited for them, would wait for itself.
void task_graph::check_caller() const {
  if (std::this_thread::get_id() == submitter_ && may_submit_) return;
  throw std::logic_error(
      "weir: only the function that run_tasks calls may add tasks to its graph or wait for them, not a task and not "
      "another thread");
}

void task_graph::submit(std::shared_ptr<node> made, std::span<const data_access> accesses) {
  check_caller();
  work_until_at_most(window_);
  for (auto each = accesses.begin(); each != accesses.end(); ++each) {
    const auto same = [&](const data_access& other) { return other.tag == each->tag; };
    if (std::any_of(accesses.begin(), each, same)) continue;  // seen already
    const bool writes =
        std::any_of(each, accesses.end(), [&](const data_access& other) { return same(other) && other.writes; });
    datum& what = data_[each->tag];
    if (what.writer) follow(*made, what.writer);
    if (writes) {
      for (const auto& reader : what.readers) follow(*made, reader);
      what.readers.clear();
      what.writer = made;
      continue;
    }
    if (what.readers.size() >= what.many_readers) {
      std::erase_if(what.readers, [](const auto& reader) { return reader->done_.load(std::memory_order_acquire); });
      what.many_readers = std::max<std::size_t>(16, what.readers.size() * 2);
    }
    what.readers.push_back(made);
  }
  node& task = *made;
  task.self_ = std::move(made);
  open_.fetch_add(1, std::memory_order_relaxed);
  if (task.missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) team_.push(member_, task);
}

void task_graph::follow(node& later, const std::shared_ptr<node>& earlier) {
  const std::lock_guard lock(earlier->mutex_);
  if (earlier->done_.load(std::memory_order_relaxed)) return;
  earlier->followers_.push_back(&later);
  later.missing_.fetch_add(1, std::memory_order_relaxed);
}

void task_graph::wait() {
  check_caller();
  work_until_at_most(1);
}

// While tasks are submitted, `open_` is one more than the number of open tasks.
void task_graph::work_until_at_most(std::size_t open) {
  const auto enough = [&] { return open_.load(std::memory_order_acquire) <= open; };
  if (enough()) return;
  may_submit_ = false;
  const set_at_end end{may_submit_, true};
  team_.work_until(member_, enough);
  if (!enough()) throw stopped{};
}

}  // namespace weir
