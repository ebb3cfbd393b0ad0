// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/task_crew.hpp"
#include "weir/detail/run/function_view.hpp"

#include <atomic>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir {

/// What a task says of a datum it works on: which, and whether it writes there.
struct data_access {
  const void* tag = nullptr;  ///< any address that stands for the datum; it is never looked at
  bool writes = false;
};

namespace detail {
template <class T>
const void* tag_of(const T& datum) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return datum;
  } else {
    return std::addressof(datum);
  }
}
}  // namespace detail

/// The task reads the datum. A datum is named by an object, or by a pointer to it: both mean its
/// address.
template <class T>
data_access in(const T& datum) noexcept {
  return {detail::tag_of(datum), false};
}
/// The task writes the datum, without regard to what it was.
template <class T>
data_access out(const T& datum) noexcept {
  return {detail::tag_of(datum), true};
}
/// The task reads and writes the datum.
template <class T>
data_access inout(const T& datum) noexcept {
  return {detail::tag_of(datum), true};
}

struct task_graph_options {
  /// The most tasks that are submitted and not done; who submits more runs others meanwhile. At
  /// least 1.
  std::size_t window = 1024;
  /// The most workers that take part; 0: all, `concurrency()`.
  std::size_t workers = 0;
  /// When stop is requested, no further task is begun, and `run_tasks` throws `stopped`.
  std::stop_token stop = {};
};

/// Tasks that are run as soon as the data they work on allow (macro data-flow): see `run_tasks`.
///
/// A task begins when the tasks submitted before it, whose data it needs, are done: after the last
/// one that writes what it reads, and after all that read or write what it writes. So the result is
/// that of running them one after the other in the order of their submission. Only the function
/// given to `run_tasks` may call it, on its own thread. Dependencies always point to earlier tasks,
/// so there are no cycles.
class task_graph {
 public:
  task_graph(const task_graph&) = delete;
  task_graph& operator=(const task_graph&) = delete;

  /// Submits `body()`, which is moved in, and runs at once if it may and there is a worker for it.
  /// A datum named more than once is written if any of its accesses writes.
  /// @throws std::logic_error from another thread; what a task has thrown, or `stopped`, where it
  /// runs others meanwhile
  template <std::invocable Body, std::same_as<data_access>... Accesses>
  void add(Body body, Accesses... accesses) {
    submit(std::make_shared<body_node<Body>>(*this, std::move(body)), {accesses...});
  }

  /// Returns when all tasks submitted so far are done; runs them meanwhile. @throws as add
  void wait();

 private:
  friend void run_tasks(function_view<void(task_graph&)>, const task_graph_options&);

  class node : public detail::task {
   public:
    explicit node(task_graph& of) noexcept : graph_(&of) {}
    void run(detail::task_crew& crew, std::size_t member) final;
    void discard() noexcept final;
    virtual ~node() = default;

   private:
    friend class task_graph;
    virtual void call() = 0;
    virtual void drop_body() noexcept = 0;
    std::vector<node*> end() noexcept;
    void give_up() noexcept;

    task_graph* graph_;
    std::shared_ptr<node> self_;           // until it is done
    std::atomic<std::size_t> missing_{1};  // tasks to be done before it; and one until it is submitted
    std::atomic<bool> done_{false};
    std::mutex mutex_;
    std::vector<node*> followers_;  // that miss it
  };
  template <class Body>
  class body_node final : public node {
   public:
    body_node(task_graph& of, Body body) : node(of), body_(std::make_unique<Body>(std::move(body))) {}

   private:
    void call() override { (*body_)(); }
    void drop_body() noexcept override { body_.reset(); }
    std::unique_ptr<Body> body_;
  };

  struct datum {
    std::shared_ptr<node> writer;                // the last
    std::vector<std::shared_ptr<node>> readers;  // since then
    std::size_t many_readers = 16;               // those that are done are dropped then
  };

  explicit task_graph(const task_graph_options& options);
  void submit(std::shared_ptr<node> made, std::initializer_list<data_access> accesses);
  void work_until_at_most(std::size_t open);
  static void follow(node& later, const std::shared_ptr<node>& earlier);

  const std::size_t window_;
  const std::thread::id submitter_ = std::this_thread::get_id();
  std::size_t member_ = 0;  // the submitter's
  std::unordered_map<const void*, datum> data_;
  std::atomic<std::size_t> open_{0};  // submitted and not done; and one until all are submitted
  detail::task_crew crew_;
};

/// Calls `submit(tasks)`, which adds tasks, and runs them on this thread and on workers of the pool
/// that have nothing better to do; returns when all are done. Tasks begin while others are still
/// being submitted; at most `window` of them are kept at a time, so a stream of any length takes
/// bounded memory (but for the data's tags: one entry each).
///
///     weir::run_tasks([&](weir::task_graph& tasks) {
///       for (std::size_t i = 0; i != n; ++i) {
///         tasks.add([&, i] { read(block[i]); }, weir::out(block[i]));
///         tasks.add([&, i] { total += sum(block[i]); }, weir::in(block[i]), weir::inout(total));
///       }
///     });
///
/// Cost: some 200 ns an empty task, and 100 to 200 for each datum it names; so a task should take
/// ten microseconds or more.
/// @throws what a task or `submit` throws, the first of them: tasks under way end, the others are
/// not begun. `stopped` as parallel_for.
///   std::invalid_argument for a window of 0
/// Source: F2 §2, macro data-flow of its high-level patterns; dependencies as in StarPU, OmpSs and
/// OpenMP's `depend`.
void run_tasks(function_view<void(task_graph&)> submit, const task_graph_options& options = {});

}  // namespace weir
