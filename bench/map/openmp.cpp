// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../openmp_waiting.hpp"
#include "signals.hpp"

// Processes one signal after the other.
int main(int argc, char** argv) {
  using namespace weir_bench;
  openmp_waits_actively(argc, argv);
  return map_main(argc, argv, "openmp", [](std::int64_t signals, std::size_t samples, const auto& add) {
    for (std::int64_t number = 0; number != signals; ++number) {
      signal one = signal_of(number, samples);
      const auto count = static_cast<std::ptrdiff_t>(one.size());
#pragma omp parallel for schedule(static)
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        one[static_cast<std::size_t>(i)] = compressed(one[static_cast<std::size_t>(i)]);
      }
      add(one);
    }
  });
}
