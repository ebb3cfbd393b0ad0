// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../queues/mutex_queue.hpp"

#include "load.hpp"

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

using namespace weir_bench;

namespace {

constexpr std::int64_t end_of_stream = -1;

// The solution without a library: a thread for the source and one for each worker, and two queues
// with mutexes, which all workers share. The calling thread is the sink.
duration timed_farm(std::int64_t items, const farm_load& load, const options&) {
  mutex_queue tasks(1024);
  mutex_queue results(1024);
  tally sum;
  const stopwatch watch;
  {
    std::vector<std::jthread> threads;
    threads.emplace_back([&] {
      for (std::int64_t item = 0; item != items; ++item) tasks.push(item);
      for (std::size_t i = 0; i != load.workers(); ++i) tasks.push(end_of_stream);
    });
    for (std::size_t i = 0; i != load.workers(); ++i) {
      threads.emplace_back([&] {
        for (std::int64_t item = tasks.pop(); item != end_of_stream; item = tasks.pop()) results.push(load(item));
      });
    }
    results.take(items, [&](std::int64_t result) { sum.value += result; });
  }
  const duration took = watch.elapsed();
  verify("sum", sum.value, farm_sum(items));
  return took;
}

}  // namespace

int main(int argc, char** argv) { return farm_main(argc, argv, "farm", "mutex_queue", timed_farm); }
