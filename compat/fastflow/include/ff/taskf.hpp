// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_TASKF_HPP
#define WEIR_FF_TASKF_HPP

#include <weir/export.hpp>

#include <ff/farm.hpp>
#include <ff/mapping_utils.hpp>

#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#ifndef DEFAULT_OUTSTANDING_TASKS
#define DEFAULT_OUTSTANDING_TASKS 2048
#endif

namespace ff {

/// Tasks that don't depend on each other. They may be added before and while they run. One thread
/// adds tasks.
class WEIR_API ff_taskf : public ff_farm {
 public:
  typedef std::function<void()> task;

  explicit ff_taskf(int maxnw = static_cast<int>(ff_realNumCores()),
                    const std::size_t /*maxTasks*/ = DEFAULT_OUTSTANDING_TASKS, const int /*maxOutstanding*/ = 0)
      : ff_farm(true) {
    std::vector<ff_node*> workers;
    for (int i = 0; i < (maxnw > 0 ? maxnw : 1); ++i) workers.push_back(own(new worker));
    add_workers(workers);
  }
  ~ff_taskf() override {
    wait();
    for (task* const each : waiting_) delete each;
  }

  /// Adds the task `f(args...)`. The arguments are copied.
  template <typename F, typename... Args>
  task* AddTask(const F f, Args... args) {
    task* const made = new task([f, all = std::make_tuple(args...)]() mutable { std::apply(f, all); });
    if (runs_now_) {
      offload(made);
    } else {
      waiting_.push_back(made);
    }
    return made;
  }

  int run(bool skip_init = false) override {
    if (ff_farm::run(skip_init) < 0) return -1;
    runs_now_ = true;
    for (task* const each : waiting_) offload(each);
    waiting_.clear();
    return 0;
  }
  int run_then_freeze(ssize_t = -1) override { return run(); }
  int run_and_wait_end() override {
    if (!runs_now_ && run() < 0) return -1;
    return wait();
  }
  int thaw(bool = false, ssize_t = -1) override { return run(); }
  /// Waits until all tasks are done.
  int wait() override {
    if (std::exchange(runs_now_, false)) offload(FF_EOS);
    return ff_farm::wait();
  }
  int wait_freezing() override { return wait(); }

 private:
  struct worker final : ff_node {
    void* svc(void* given) override {
      const std::unique_ptr<task> now(static_cast<task*>(given));
      (*now)();
      return GO_ON;
    }
  };

  std::vector<task*> waiting_;
  bool runs_now_ = false;
};

}  // namespace ff

#endif
