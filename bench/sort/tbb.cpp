// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/parallel_sort.hpp>

#include "sort.hpp"

#include <oneapi/tbb/parallel_sort.h>

int main(int argc, char** argv) {
  return weir_bench::sort_main(argc, argv, "tbb",
                               [](auto& numbers) { tbb::parallel_sort(numbers.begin(), numbers.end()); });
}
