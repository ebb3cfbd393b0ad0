// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_MDF_HPP
#define WEIR_FF_MDF_HPP

#include <weir/export.hpp>

#include <ff/mapping_utils.hpp>
#include <ff/node.hpp>

#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#ifndef DEFAULT_OUTSTANDING_TASKS
#define DEFAULT_OUTSTANDING_TASKS 2048
#endif

namespace ff {

/// How a task uses a parameter.
typedef enum { INPUT = 0, OUTPUT = 1, VALUE = 2 } data_direction_t;

/// A parameter of a task, by its address or another number. A task that has `INPUT` runs after the
/// last one before it that has `OUTPUT` of the same number; one that has `OUTPUT` runs after all
/// before it that have that number. `VALUE` says nothing.
struct param_info {
  std::uintptr_t tag;
  data_direction_t dir;
};

namespace detail {

/// The tasks of an ff_mdf while it runs.
class WEIR_API data_flow {
 public:
  virtual void add(const std::vector<param_info>& uses, std::function<void()> task) = 0;

 protected:
  ~data_flow() = default;
};

/// Calls `f`, which adds tasks, and runs these. Returns when all are done.
/// @param window how many tasks may wait @param workers 0: as many as there are
/// @throws the first exception of a task
WEIR_API void run_data_flow(const std::function<void(data_flow& tasks)>& f, std::size_t window, std::size_t workers);

/// `AddTask` was called elsewhere. @throws logic_error
[[noreturn]] WEIR_API void refuse_task();

}  // namespace detail

/// Macro data-flow: a function adds tasks, which run as soon as the data they work on allow.
class WEIR_API ff_mdf : public ff_node {
 public:
  /// @param f adds the tasks, by `AddTask`. It runs on the thread that runs the block
  template <typename T>
  ff_mdf(void (*f)(T* const), T* const args, std::size_t outstanding_tasks = DEFAULT_OUTSTANDING_TASKS,
         int maxnw = static_cast<int>(ff_realNumCores()), void (*)(unsigned long) = nullptr)
      : adds_([f, args] { f(args); }),
        window_(outstanding_tasks),
        workers_(maxnw > 0 ? static_cast<std::size_t>(maxnw) : 0) {}

  /// Adds the task `f(args...)`. The arguments are copied. Only the function of the constructor may
  /// call it.
  template <typename F, typename... Args>
  void AddTask(const std::vector<param_info>& uses, const F f, Args... args) {
    if (tasks_ == nullptr) detail::refuse_task();
    tasks_->add(uses, [f, all = std::make_tuple(args...)]() mutable { std::apply(f, all); });
  }

  /// Runs until all tasks are done. @return 0; -1 if a task failed
  int run(bool /*skip_init*/ = false) override {
    gettimeofday(&began_, nullptr);
    try {
      detail::run_data_flow(
          [&](detail::data_flow& tasks) {
            tasks_ = &tasks;
            adds_();
          },
          window_, workers_);
    } catch (const std::exception& problem) {
      error("MDF, a task has failed: %s\n", problem.what());
      tasks_ = nullptr;
      return -1;
    }
    tasks_ = nullptr;
    gettimeofday(&ended_, nullptr);
    return 0;
  }
  int run_and_wait_end() override { return run(); }
  int run_then_freeze(ssize_t = -1) override { return run(); }
  int wait() override { return 0; }
  int wait_freezing() override { return 0; }
  void setNumWorkers(std::size_t workers) { workers_ = workers; }
  void setThreadAllocation(int = 0) {}

  double ffTime() override { return diffmsec(ended_, began_); }
  void ffStats(std::ostream& out) override { out << "MDF: " << ffTime() << " ms\n"; }

  void* svc(void* task) override { return run() < 0 ? nullptr : task; }

 private:
  std::function<void()> adds_;
  std::size_t window_;
  std::size_t workers_;
  detail::data_flow* tasks_ = nullptr;
  timeval began_{};
  timeval ended_{};
};

}  // namespace ff

#endif
