// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../ff_parts.hpp"
#include "startup.hpp"

using namespace weir_bench;

// The measured time includes the construction of the nodes.
int main(int argc, char** argv) {
  return startup_main(argc, argv, "ff_headers", [](std::int64_t nodes, const options&) {
    const stopwatch watch;
    timed_ff_pipeline(nodes, 0, 0);
    return watch.elapsed();
  });
}
