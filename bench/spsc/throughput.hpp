// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <cstddef>
#include <cstdint>
#include <thread>

namespace weir_bench {

/// One thread pushes 0, 1, 2, … into a queue of 8-byte items, another takes them out and adds them
/// up.
template <class Queue>
duration throughput_once(std::int64_t items, std::size_t capacity) {
  Queue queue(capacity);
  std::int64_t sum = 0;
  const stopwatch watch;
  std::thread consumer([&] {
    std::int64_t own = 0;  // not beside data of the other thread
    queue.take(items, [&](std::int64_t item) { own += item; });
    sum = own;
  });
  if constexpr (requires { queue.give(items, [] { return std::int64_t{0}; }); }) {
    queue.give(items, [next = std::int64_t{0}]() mutable { return next++; });
  } else {
    for (std::int64_t i = 0; i != items; ++i) queue.push(i);
    queue.flush();
  }
  consumer.join();
  const duration took = watch.elapsed();
  verify("sum", sum, items * (items - 1) / 2);
  return took;
}

template <class Queue>
int throughput(int argc, char** argv) {
  const options given(argc, argv, {{"items", 20'000'000}, {"capacity", 1024}});
  const std::int64_t items = given["items"];
  const auto capacity = static_cast<std::size_t>(given["capacity"]);
  throughput_once<Queue>(items / 10, capacity);
  const duration took = throughput_once<Queue>(items, capacity);
  print_result("spsc", Queue::name, items, took,
               {{"ns_per_item", static_cast<double>(took.wall_ns) / static_cast<double>(items)}});
  return 0;
}

}  // namespace weir_bench
