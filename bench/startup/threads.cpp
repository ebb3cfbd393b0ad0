// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "startup.hpp"

#include <thread>

using namespace weir_bench;

// The least cost of a thread for each node.
int main(int argc, char** argv) {
  return startup_main(argc, argv, "threads", [](std::int64_t nodes, const options&) {
    const stopwatch watch;
    std::vector<std::thread> threads;
    for (std::int64_t i = 0; i != nodes; ++i) threads.emplace_back([] {});
    for (std::thread& thread : threads) thread.join();
    return watch.elapsed();
  });
}
