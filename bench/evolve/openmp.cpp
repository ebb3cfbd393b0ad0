// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/random_engine.hpp>

#include "../openmp_waiting.hpp"
#include "tours.hpp"

int main(int argc, char** argv) {
  using namespace weir_bench;
  openmp_waits_actively(argc, argv);
  return evolve_main(argc, argv, "openmp", [](tours& all, std::size_t generations) {
    enum part : std::uint64_t { selecting, evolving };
    for (std::size_t generation = 0; generation != generations; ++generation) {
      weir::random_engine random(seed, generation, selecting, 0);
      tours children;
      for (const std::size_t i : parents(all, random)) children.push_back(all[i]);
      const auto count = static_cast<std::ptrdiff_t>(children.size());
#pragma omp parallel for schedule(dynamic)
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        weir::random_engine own(seed, generation, evolving, i);
        vary(children[static_cast<std::size_t>(i)], own);
      }
      survive(all, children);
    }
  });
}
