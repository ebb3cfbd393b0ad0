// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/weir.hpp>

#include "harness.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

/// Nodes and functions that the weir contenders share.
namespace weir_bench {

/// Source of 0, 1, … items - 1, each after some work.
struct counting_source {
  std::int64_t items;
  std::uint64_t steps = 0;
  std::int64_t made = 0;

  std::optional<std::int64_t> next() {
    if (made == items) return std::nullopt;
    spin(steps);
    return made++;
  }
};

/// Adds 1, after some work.
struct adder {
  std::uint64_t steps = 0;

  std::int64_t process(std::int64_t item) {
    spin(steps);
    return item + 1;
  }
};

/// Counts and adds up the items, after some work for each. The totals belong to the caller and are
/// complete when the run has ended. Until then the node keeps them, because a cache line of the
/// caller could hold data that another thread uses.
struct adding_sink {
  std::int64_t* count;
  std::int64_t* sum;
  std::uint64_t steps = 0;
  std::int64_t counted = 0;
  std::int64_t added = 0;

  void process(std::int64_t item) {
    spin(steps);
    ++counted;
    added += item;
  }
  void finish() {
    *count += counted;
    *sum += added;
  }
};

/// Returns `length` nodes in a row, each a copy of `one`.
template <class Node>
weir::block<std::int64_t, std::int64_t> chain(std::int64_t length, const Node& one) {
  weir::block<std::int64_t, std::int64_t> whole = weir::node(one);
  for (std::int64_t i = 1; i != length; ++i) whole = whole | weir::node(one);
  return whole;
}

/// Returns the options for `--threads 0` (the pool) or `--threads 1` (a thread for each node).
inline weir::run_options executor_for(std::int64_t threads) {
  return {.executor = threads != 0 ? weir::executor::threads : weir::executor::pool};
}

/// Runs the network and measures the time from the call of `run` to its return; building the blocks
/// is not measured.
inline duration timed_run(weir::network net, const weir::run_options& how) {
  const stopwatch watch;
  weir::run(net, how);
  return watch.elapsed();
}

/// A pipeline of `nodes` >= 3 nodes, including source and sink: it counts, adds 1 at each middle
/// node, and adds up.
inline duration timed_pipeline(std::int64_t nodes, std::int64_t items, std::uint64_t steps,
                               const weir::run_options& how) {
  std::int64_t count = 0;
  std::int64_t sum = 0;
  weir::network net = weir::source(counting_source{items, steps}) | chain(nodes - 2, adder{steps}) |
                      weir::sink(adding_sink{&count, &sum, steps});
  const duration took = timed_run(std::move(net), how);
  verify("count", count, items);
  verify("sum", sum, items * (items - 1) / 2 + items * (nodes - 2));
  return took;
}

}  // namespace weir_bench
