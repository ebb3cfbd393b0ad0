// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../../tests/support/tiled_matrix.hpp"
#include "../harness.hpp"

namespace weir_bench {

/// Factors a matrix of `items` tiles by `items` tiles with `factor(matrix)`. The items of the
/// result line are tasks.
template <class Factor>
int cholesky_main(int argc, char** argv, const char* contender, Factor&& factor) {
  const options given(argc, argv, {{"items", 20}, {"tile", 128}, {"rounds", 3}});
  const auto tiles = static_cast<int>(given["items"]);
  const auto tile = static_cast<int>(given["tile"]);
  const auto original = weir_test::tiled_matrix::positive_definite(tiles, tile, 1);
  weir_test::tiled_matrix matrix = original;
  factor(matrix);
  duration took;
  for (std::int64_t round = 0; round != given["rounds"]; ++round) {
    matrix = original;
    const stopwatch watch;
    factor(matrix);
    const duration one = watch.elapsed();
    took.wall_ns += one.wall_ns;
    took.cpu_ns += one.cpu_ns;
  }
  weir_test::tiled_matrix expected = original;
  weir_test::cholesky(expected, [](auto body, auto...) { body(); });
  const double difference =
      weir_test::largest_difference(matrix.as_columns(), expected.as_columns(), matrix.rows(), /*lower_only=*/true);
  verify("factor", difference < 1e-9 ? 0 : 1, 0);
  const std::int64_t tasks = std::int64_t{tiles} * (tiles + 1) * (tiles + 2) / 6;
  const double n = matrix.rows();
  print_result("cholesky", contender, tasks * given["rounds"], took,
               {{"gflops", n * n * n / 3 * static_cast<double>(given["rounds"]) / static_cast<double>(took.wall_ns)}});
  return 0;
}

}  // namespace weir_bench
