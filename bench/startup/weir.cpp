// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"
#include "startup.hpp"

using namespace weir_bench;

// The measured time includes the construction of the blocks.
int main(int argc, char** argv) {
  return startup_main(argc, argv, "weir", [](std::int64_t nodes, const options& given) {
    const stopwatch watch;
    timed_pipeline(nodes, 0, 0, executor_for(given["threads"]));
    return watch.elapsed();
  });
}
