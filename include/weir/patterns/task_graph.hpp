// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/task_team.hpp"
#include "weir/detail/run/function_view.hpp"
#include "weir/export.hpp"

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir {

/// One access of a task to a datum: the datum, and whether the task writes it.
struct data_access {
  const void* tag = nullptr;  ///< any address that identifies the datum; it is never dereferenced
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

/// Declares that the task reads the datum. An object, and a pointer to it, both identify the datum
/// by the address of the object.
template <class T>
data_access in(const T& datum) noexcept {
  return {detail::tag_of(datum), false};
}
/// Declares that the task writes the datum without reading its previous value.
template <class T>
data_access out(const T& datum) noexcept {
  return {detail::tag_of(datum), true};
}
/// Declares that the task reads and writes the datum.
template <class T>
data_access inout(const T& datum) noexcept {
  return {detail::tag_of(datum), true};
}

/// Options of `run_tasks`.
struct task_graph_options {
  /// Largest number of tasks that are submitted and not done. A submitter that reaches it runs
  /// tasks itself until it may submit again. At least 1.
  std::size_t window = 1024;
  /// Largest number of workers that take part. 0: all, `concurrency()`.
  std::size_t workers = 0;
  /// Stops the graph: after a stop request no further task begins, and `run_tasks` throws
  /// `stopped`.
  std::stop_token stop = {};
};

/// Tasks that run as soon as the data they work on allow (macro data-flow). `run_tasks` makes a
/// task_graph and passes it to its function.
///
/// A task begins when the tasks on which it depends are done: the last earlier task that writes a
/// datum it reads, and all earlier tasks that read or write a datum it writes. Therefore the result
/// is the same as if the tasks ran one after the other in the order of submission. Only the
/// function given to `run_tasks` may call the members, on its own thread. Dependencies always point
/// to earlier tasks, so there are no cycles.
class WEIR_API task_graph {
 public:
  task_graph(const task_graph&) = delete;
  task_graph& operator=(const task_graph&) = delete;

  /// Submits the task `body()`, which is moved in. The task runs as soon as its dependencies are
  /// done and a worker is free. A datum named more than once counts as written if any of its
  /// accesses writes.
  /// @throws std::logic_error if called from another thread or from a task; the exception of a
  /// task, or `stopped`, if `add` runs tasks because the window is full
  template <std::invocable Body, std::same_as<data_access>... Accesses>
  void add(Body body, Accesses... accesses) {
    add(std::move(body), std::span<const data_access>(std::array<data_access, sizeof...(Accesses)>{accesses...}));
  }
  /// Same as above, for a number of accesses that is known at run time only.
  template <std::invocable Body>
  void add(Body body, std::span<const data_access> accesses) {
    submit(std::make_shared<body_node<Body>>(*this, std::move(body)), accesses);
  }

  /// Runs tasks until all tasks submitted before are done.
  /// @throws std::logic_error if called from another thread or from a task; the exception of a task
  /// that it runs, or `stopped`
  void wait();

 private:
  friend void run_tasks(detail::function_view<void(task_graph&)>, const task_graph_options&);

  class node : public detail::task {
   public:
    explicit node(task_graph& of) noexcept : graph_(&of) {}
    void run(detail::task_team& team, std::size_t member) final;
    void discard() noexcept final;
    virtual ~node() = default;

   private:
    friend class task_graph;
    virtual void call() = 0;
    virtual void drop_body() noexcept = 0;
    std::vector<node*> end() noexcept;
    void give_up() noexcept;

    task_graph* graph_;
    std::shared_ptr<node> self_;           // keeps the node alive until it is done
    std::atomic<std::size_t> missing_{1};  // tasks to be done before this one, plus one until it is submitted
    std::atomic<bool> done_{false};
    std::mutex mutex_;
    std::vector<node*> followers_;  // tasks that wait for this one
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
    std::shared_ptr<node> writer;                // the last task that writes it
    std::vector<std::shared_ptr<node>> readers;  // tasks that read it since then
    std::size_t many_readers = 16;               // number of readers at which finished ones are removed
  };

  explicit task_graph(const task_graph_options& options);
  void check_caller() const;
  void submit(std::shared_ptr<node> made, std::span<const data_access> accesses);
  void work_until_at_most(std::size_t open);
  static void follow(node& later, const std::shared_ptr<node>& earlier);

  const std::size_t window_;
  const std::thread::id submitter_ = std::this_thread::get_id();
  bool may_submit_ = false;  // used by the submitter only; false while it runs tasks
  std::size_t member_ = 0;   // index of the submitter in the team
  std::unordered_map<const void*, datum> data_;
  std::atomic<std::size_t> open_{0};  // tasks submitted and not done, plus one until all are submitted
  detail::task_team team_;
};

/// Calls `submit(tasks)`, which adds tasks, and runs these on this thread and on idle workers of
/// the pool. Returns when all are done. Tasks begin while others are still being submitted. At most
/// `window` tasks are kept at a time, so a stream of any length takes bounded memory, except for
/// the tags of the data, which take one entry each.
///
///     weir::run_tasks([&](weir::task_graph& tasks) {
///       for (std::size_t i = 0; i != n; ++i) {
///         tasks.add([&, i] { read(block[i]); }, weir::out(block[i]));
///         tasks.add([&, i] { total += sum(block[i]); }, weir::in(block[i]), weir::inout(total));
///       }
///     });
///
/// Cost: about 200 ns for an empty task, and 100 to 200 ns for each datum it names. Therefore a
/// task should take ten microseconds or more.
/// @throws the first exception of a task or of `submit`: tasks that have begun end, the others
/// don't begin. `stopped` as parallel_for. std::invalid_argument for a window of 0
///
/// Source: F2 §2, macro data-flow of its high-level patterns; dependencies as in StarPU, OmpSs and
/// OpenMP's `depend`.
WEIR_API void run_tasks(detail::function_view<void(task_graph&)> submit, const task_graph_options& options = {});

}  // namespace weir
