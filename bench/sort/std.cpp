// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort.hpp"

#include <algorithm>

int main(int argc, char** argv) {
  return weir_bench::sort_main(argc, argv, "std", [](auto& numbers) { std::sort(numbers.begin(), numbers.end()); });
}
