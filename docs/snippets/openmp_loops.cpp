// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// needs: openmp
// test:
// test-output: openmp 332833500 100, weir 332833500 100

// The loops of docs/from-openmp.md, by OpenMP and by weir.

#include <weir/patterns/parallel_for.hpp>
#include <weir/patterns/parallel_reduce.hpp>

#include <functional>
#include <iostream>
#include <vector>

long by_openmp(const std::vector<int>& values, std::vector<int>& twice) {
  const int size = static_cast<int>(values.size());
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < size; ++i) twice[i] = 2 * values[i];
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < size; ++i) sum += static_cast<long>(values[i]) * values[i];
  return sum;
}

long by_weir(const std::vector<int>& values, std::vector<int>& twice) {
  const int size = static_cast<int>(values.size());
  weir::parallel_for(0, size, [&](int i) { twice[i] = 2 * values[i]; },
                     {.schedule = weir::schedule::dynamic, .grain = 64});
  return weir::parallel_reduce(
      0, size, 0L, [&](int i) { return static_cast<long>(values[i]) * values[i]; }, std::plus<>());
}

int main() {
  std::vector<int> values(1000);
  for (int i = 0; i != 1000; ++i) values[i] = i;
  std::vector<int> twice(1000);
  const long one = by_openmp(values, twice);
  std::cout << "openmp " << one << ' ' << twice[50];
  twice.assign(1000, 0);
  const long other = by_weir(values, twice);
  std::cout << ", weir " << other << ' ' << twice[50] << '\n';
}
