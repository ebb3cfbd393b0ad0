// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort.hpp"

#include <execution>

int main(int argc, char** argv) {
  return weir_bench::sort_main(argc, argv, "tbb_std_par",
                               [](auto& numbers) { std::sort(std::execution::par, numbers.begin(), numbers.end()); });
}
