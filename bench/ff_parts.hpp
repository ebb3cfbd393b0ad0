// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness.hpp"

#include <ff/ff.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

/// The nodes of weir_parts.hpp as those of a FastFlow program: it includes FastFlow's headers,
/// which here are weir's. A task is a number in place of a pointer; it is one more than the item,
/// because null is no task.
namespace weir_bench {

using task = std::int64_t;

inline task* task_of(std::int64_t item) { return reinterpret_cast<task*>(item + 1); }
inline std::int64_t item_of(const task* what) { return reinterpret_cast<std::int64_t>(what) - 1; }

/// Sends 0, 1, … items - 1, each after some work.
struct counting_node : ff::ff_node_t<task> {
  counting_node(std::int64_t how_many, std::uint64_t work_steps) : items(how_many), steps(work_steps) {}
  task* svc(task*) override {
    if (made == items) return EOS;
    spin(steps);
    return task_of(made++);
  }
  const std::int64_t items;
  const std::uint64_t steps;
  std::int64_t made = 0;
};

/// Adds 1, after some work.
struct adding_node : ff::ff_node_t<task> {
  explicit adding_node(std::uint64_t work_steps) : steps(work_steps) {}
  task* svc(task* what) override {
    spin(steps);
    return task_of(item_of(what) + 1);
  }
  const std::uint64_t steps;
};

/// Counts and adds up the items, after some work for each.
struct summing_node : ff::ff_node_t<task> {
  explicit summing_node(std::uint64_t work_steps) : steps(work_steps) {}
  task* svc(task* what) override {
    spin(steps);
    ++count;
    sum += item_of(what);
    return GO_ON;
  }
  const std::uint64_t steps;
  std::int64_t count = 0;
  std::int64_t sum = 0;
};

/// Runs a block to its end. The program ends with 1 if that fails.
inline duration timed_run(ff::ff_node& whole) {
  const stopwatch watch;
  if (whole.run_and_wait_end() < 0) std::exit(1);
  return watch.elapsed();
}

/// A pipeline of a source, `nodes` - 2 nodes that add 1, and a sink.
class ff_chain {
 public:
  ff_chain(ff::ff_node& source, std::int64_t nodes, summing_node& sink) {
    pipe_.add_stage(&source);
    for (std::int64_t i = 2; i != nodes; ++i) {
      middle_.push_back(std::make_unique<adding_node>(sink.steps));
      pipe_.add_stage(middle_.back().get());
    }
    pipe_.add_stage(&sink);
  }
  duration timed_run() { return weir_bench::timed_run(pipe_); }

 private:
  std::vector<std::unique_ptr<adding_node>> middle_;
  ff::ff_pipeline pipe_;
};

/// See `timed_pipeline` in weir_parts.hpp. The stages are made and added before the time begins.
inline duration timed_ff_pipeline(std::int64_t nodes, std::int64_t items, std::uint64_t steps) {
  counting_node source(items, steps);
  summing_node sink(steps);
  ff_chain pipe(source, nodes, sink);
  const duration took = pipe.timed_run();
  verify("count", sink.count, items);
  verify("sum", sink.sum, items * (items - 1) / 2 + items * (nodes - 2));
  return took;
}

}  // namespace weir_bench
