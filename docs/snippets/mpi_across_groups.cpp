// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: ^1999998.$

#include <weir/patterns/across_groups.hpp>
#include <weir/patterns/parallel_reduce.hpp>

#include <functional>
#include <iostream>

int main() {
  const weir::across_groups everywhere;
  const long all = weir::parallel_reduce(
      everywhere, 0L, 1'000'000L, 0L, [](long i) { return i * i % 7; }, std::plus<>());

  if (everywhere.in_first_group()) std::cout << all << '\n';
}
