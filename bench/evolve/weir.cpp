// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/evolve.hpp>

#include "tours.hpp"

int main(int argc, char** argv) {
  using namespace weir_bench;
  return evolve_main(argc, argv, "weir", [](tours& all, std::size_t generations) {
    weir::evolve(all, parents, vary, survive, [](const tours&, std::size_t) { return false; },
                 {.seed = seed, .max_generations = generations});
  });
}
