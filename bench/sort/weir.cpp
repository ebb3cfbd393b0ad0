// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/parallel_sort.hpp>

#include "sort.hpp"

int main(int argc, char** argv) {
  return weir_bench::sort_main(argc, argv, "weir", [](auto& numbers) { weir::parallel_sort(numbers); });
}
