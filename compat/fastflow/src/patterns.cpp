// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/divide_and_conquer.hpp"
#include "weir/patterns/task_graph.hpp"
#include "weir/run/fork_join.hpp"

#include <ff/dc.hpp>
#include <ff/detail/pieces.hpp>
#include <ff/mdf.hpp>

#include <span>
#include <stdexcept>
#include <utility>

// The patterns of FastFlow on those of weir.

namespace ff::detail {

void run_pieces(std::size_t pieces, void (*call)(void* of, std::size_t piece), void* of) {
  weir::fork_join(pieces, [&](std::size_t piece, std::size_t) { call(of, piece); });
}

void run_data_flow(const std::function<void(data_flow& tasks)>& f, std::size_t window, std::size_t workers) {
  class on_weir final : public data_flow {
   public:
    explicit on_weir(weir::task_graph& tasks) : tasks_(tasks) {}
    void add(const std::vector<param_info>& uses, std::function<void()> task) override {
      accesses_.clear();
      for (const param_info& each : uses) {
        if (each.dir != VALUE) accesses_.push_back({reinterpret_cast<const void*>(each.tag), each.dir == OUTPUT});
      }
      tasks_.add(std::move(task), std::span<const weir::data_access>(accesses_));
    }

   private:
    weir::task_graph& tasks_;
    std::vector<weir::data_access> accesses_;
  };
  weir::run_tasks(
      [&](weir::task_graph& tasks) {
        on_weir all(tasks);
        f(all);
      },
      {.window = window, .workers = workers});
}

void refuse_task() { throw std::logic_error("ff_mdf::AddTask outside the function that adds the tasks"); }

division::result divide_and_conquer(division::problem whole, const division& by) {
  using problem = division::problem;
  return weir::divide_and_conquer(
      std::move(whole), [&](const problem& each) { return by.is_base(each); },
      [&](const problem& each) { return by.solve(each); }, [&](const problem& each) { return by.divide(each); },
      [&](std::vector<division::result> parts) { return by.combine(std::move(parts)); });
}

}  // namespace ff::detail
