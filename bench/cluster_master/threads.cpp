// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The same number of threads in one process, which take the number of the next task from a counter.
#include "tasks.hpp"

#include <thread>
#include <vector>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = master_options(argc, argv);
  master_outcome outcome;
  std::atomic<std::int64_t> next{0};
  std::atomic<std::int64_t> sum{0};
  const stopwatch watch;
  {
    std::vector<std::jthread> threads;
    for (std::int64_t i = 0; i != given["groups"] * given["workers"]; ++i) {
      threads.emplace_back([&] {
        for (std::int64_t number = next++; number < given["items"]; number = next++) {
          outcome.slept += sleep_ns(given["work"]);
          sum += number;
        }
      });
    }
  }
  const duration took = watch.elapsed();
  outcome.sum = sum;
  outcome.wall_ns = took.wall_ns;
  outcome.cpu_ns = took.cpu_ns;
  print_master("threads", given, outcome);
}
